import { expect, it } from "vitest";
import { maskSecrets } from "./mask-secrets";

it.each([
  ["a key of a word", "must be none or auto", "none", "must be none or auto"],
  ["a short key", "use abc1234 or abc12345", "abc1234", "use abc1234 or abc12345"],
  ["a key", 'Incorrect API key: "sk-secret".', "sk-secret", 'Incorrect API key: "[secret]".'],
  [
    "a key after an escaped line break",
    String.raw`{"message":"Key:\nsk-secret"}`,
    "sk-secret",
    String.raw`{"message":"Key:\n[secret]"}`,
  ],
  ["a key of eight characters in a longer word", "passwords", "password", "passwords"],
  ["a long key in a longer word", "xsk-0123456789abcdefghijz", "sk-0123456789abcdefghij", "x[secret]z"],
  ["characters of patterns", "key a.c+e(g)i!", "a.c+e(g)i", "key [secret]!"],
])("%s in an error's text", (_name, text, secret, expected) =>
  expect(maskSecrets(text, [null, secret])).toBe(expected),
);
