import { describe, expect, it } from "vitest";
import { inspectPassword, isCommonPassword } from "./common-password";

describe("a common password", () => {
  it.each(["password", "PASSWORD", "12345678", "qwertyuiop", "iloveyou", "Password1!", "Signalbox2026", "letmein123"])(
    "%s is refused",
    (password) => {
      expect(isCommonPassword(password)).toBe(true);
    },
  );

  it.each(["correct horse battery", "staple battery horse", "password-8f14e45fceea1"])("%s isn't", (password) => {
    expect(isCommonPassword(password)).toBe(false);
  });

  it("includes the member's own address", () => {
    expect(isCommonPassword("grace.hopper", "Grace.Hopper@example.com")).toBe(true);
    expect(isCommonPassword("grace.hopper@example.com", "grace.hopper@example.com")).toBe(true);
    expect(isCommonPassword("grace.hopper")).toBe(false);
  });

  it("is reported for its field", () => {
    expect(inspectPassword("new_password")({ new_password: "password" })).toMatchObject([
      { path: ["new_password"], code: "common_password" },
    ]);
    expect(inspectPassword("password")({ password: 12345678 })).toEqual([]);
  });
});
