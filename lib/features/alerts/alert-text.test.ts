import { expect, it } from "vitest";
import { measuredText, retirementText, titleOf, type Measured } from "./alert-text";

const measured = (given: Partial<Measured>): Measured => ({
  kind: "error_rate",
  subject: "",
  value: 12.34,
  threshold: 5,
  windowMinutes: 15,
  ...given,
});

it.each([
  [{}, "12.3% of requests failed in 15 minutes (threshold: 5%)"],
  [{ kind: "budget", subject: "Production, key ci" }, "Production, key ci: 12.3% of the limit is used (threshold: 5%)"],
  [{ kind: "block_spike", value: 1200 }, "1,200 requests blocked in 15 minutes (threshold: 5 requests)"],
  [{ kind: "block_spike", threshold: 1 }, "12.3 requests blocked in 15 minutes (threshold: 1 request)"],
  [{ kind: "latency_p95", value: 1500 }, "The p95 of the duration is 1,500 ms in 15 minutes (threshold: 5 ms)"],
  [
    { kind: "time_to_first_token_p95", value: 900 },
    "The p95 of the time to first token is 900 ms in 15 minutes (threshold: 5 ms)",
  ],
  [{ kind: "provider_down", subject: "openai" }, "12.3% of attempts at openai failed in 15 minutes (threshold: 5%)"],
  [
    { kind: "deprecated_model", subject: "openai/gpt-4o", value: 1, threshold: 30, detail: "Used by CI" },
    "openai/gpt-4o retires in 1 day and is still in use (threshold: 30 days). Used by CI",
  ],
  [
    { kind: "deprecated_model", subject: "openai/gpt-4o", value: 0, threshold: 30 },
    "openai/gpt-4o is retired and is still in use (threshold: 30 days)",
  ],
] as const)("%j is described as %s", (given, text) => {
  expect(measuredText(measured(given))).toBe(text);
});

it.each([
  [1, "gpt-6-luna", "Retirement: 2027-01-14. Replacement: gpt-6-luna. Used by A"],
  [3, null, "Retirement: 2027-01-14. Used by A, B, C"],
  [12, null, "Retirement: 2027-01-14. Used by A, B, C and 9 more"],
])("names the users of a deprecated model, %s of them, with the replacement %s", (total_count, replacement, text) => {
  const data = ["A", "B", "C", "D"].slice(0, total_count).map((name) => ({ type: "key" as const, id: name, name }));
  const model = { retires_at: "2027-01-14T00:00:00.000Z", replacement, used_by: { total_count, data } };
  expect(retirementText(model)).toBe(text);
});

it("has a title for each message", () => {
  expect(
    ["alert.fired", "alert.resolved", "alert.test"].map((type) => titleOf(type as "alert.fired", "Errors")),
  ).toEqual(["Firing: Errors", "Resolved: Errors", "Test: Errors"]);
});
