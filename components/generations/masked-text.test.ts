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
] as const)("%j → %s", (masked, words) => expect(describeMasked(masked, [])).toBe(words));

it("names the checks and judges that rejected messages", () => {
  const decision = (field: string, rule: string) => ({
    scope: "key" as const,
    guardrail_id: null,
    guardrail_name: null,
    revision: null,
    field,
    rule,
    action: "block",
    spans: [],
  });
  const masked = ["email", "tone", "legal"].map((rule) => ({ rule, count: 1 }));
  expect(describeMasked(masked, [decision("external_checks", "tone"), decision("judges", "legal")])).toBe(
    "1 email address and messages rejected by “tone” and “legal”",
  );
});
