import { expect, it } from "vitest";
import { describeMasked } from "./masked-text";

it.each([
  [[{ rule: "email", count: 1 }], "1 email address"],
  [
    [
      { rule: "email", count: 2 },
      { rule: "phone", count: 1 },
    ],
    "2 email addresses and 1 phone number",
  ],
  [[{ rule: "[PROJECT]", count: 1 }], "1 match of [PROJECT]"],
  [[{ rule: "ssn", count: 100 }], "100 or more Social Security numbers"],
] as const)("%j → %s", (masked, words) => expect(describeMasked(masked)).toBe(words));
