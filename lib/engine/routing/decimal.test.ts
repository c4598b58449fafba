import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isGreater } from "./decimal";

describe("isGreater", () => {
  it.each([
    ["1", "1", false],
    ["1", "1.0", false],
    ["1.0000000001", "1", true],
    ["0.3", "0.30000000000000001", false],
    ["0.1", "1e-1", false],
    ["0.1", "9.9e-2", true],
    ["2", "1E+0", true],
    ["0.0000000001", "1e-99999999999999999999999999", true],
    ["9999999999", "1e99999999999999999999999999999", false],
    ["0", "0e99", false],
  ])("%s > %s: %s", (price, bound, expected) => expect(isGreater(price, bound)).toBe(expected));

  it("agrees with integer comparison", () => {
    const whole = fc.bigInt({ min: 0n, max: 10n ** 20n });
    fc.assert(
      fc.property(whole, whole, fc.nat(10), (a, b, shift) => isGreater(`${a}e-${shift}`, `${b}e-${shift}`) === a > b),
    );
  });
});
