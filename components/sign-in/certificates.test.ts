import { describe, expect, it } from "vitest";
import { certificatesIn } from "./certificates";

const one = (text: string) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----`;

describe("certificatesIn", () => {
  it.each<[string, string[]]>([
    ["", []],
    [one("a"), [one("a")]],
    [`${one("a")}\n`, [`${one("a")}\n`]],
    [`${one("a")}\n\n${one("b")}\r\n`, [`${one("a")}\n\n`, `${one("b")}\r\n`]],
    [`${one("a")}${one("b")}`, [one("a"), one("b")]],
    [`${one("a")} MII`, [`${one("a")} `, "MII"]],
    ["MII", ["MII"]],
  ])("splits %j", (text, expected) => {
    expect(certificatesIn(text)).toEqual(expected);
    expect(certificatesIn(text).join("")).toBe(text);
  });
});
