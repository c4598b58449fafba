import { Secret, TOTP } from "otpauth";
import { describe, expect, it } from "vitest";
import { acceptedStep, newRecoveryCodes, newTotpSecret, plainRecoveryCode, totpUri } from "./totp";

const NOW = new Date("2026-11-20T10:00:10.000Z");
const secret = newTotpSecret();
const codeAt = (seconds: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: NOW.getTime() + seconds * 1000 });

describe("a code", () => {
  it.each([
    ["of this period", 0, true],
    ["of the previous period", -30, true],
    ["of the next period", 30, true],
    ["of two periods ago", -60, false],
    ["of two periods ahead", 60, false],
  ])("%s: %s s, accepted: %s", (_, seconds, isAccepted) => {
    expect(acceptedStep(secret, codeAt(seconds), NOW, null) !== null).toBe(isAccepted);
  });

  it("works once, and so do those before it", () => {
    const step = acceptedStep(secret, codeAt(0), NOW, null);
    expect(acceptedStep(secret, codeAt(0), NOW, step)).toBeNull();
    expect(acceptedStep(secret, codeAt(-30), NOW, step)).toBeNull();
    expect(acceptedStep(secret, codeAt(30), NOW, step)).toBe((step ?? 0) + 1);
  });

  it.each(["", "12345", "abcdef", "1234567"])("%j isn't accepted", (code) => {
    expect(acceptedStep(secret, code, NOW, null)).toBeNull();
  });
});

it("the address names issuer and account", () => {
  expect(totpUri(secret, "grace@example.com")).toBe(
    `otpauth://totp/Signalbox:grace%40example.com?issuer=Signalbox&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  );
});

it("recovery codes are distinct, and read in any spelling", () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^([a-z2-7]{4}-){5}[a-z2-7]{4}$/);
  expect(plainRecoveryCode(" ABCD-efgh 2345 ")).toBe("abcdefgh2345");
});
