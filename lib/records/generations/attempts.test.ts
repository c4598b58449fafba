import { expect, it } from "vitest";
import { attemptsOf, storedAttempts } from "./attempts";
import type { Attempt } from "./contract";

const answered = { model: "acme/one", providerSlug: "acme" };
const attempt = (fields: Partial<Attempt> = {}): Attempt => ({
  provider: "acme",
  provider_name: "Acme",
  model: "acme/one",
  status: 200,
  latency_ms: 5,
  error: null,
  ...fields,
});
/** Returns attempts as PostgreSQL returns them. */
const roundTrip = (attempts: readonly Attempt[]) =>
  JSON.parse(JSON.stringify(storedAttempts(attempts, answered))) as unknown;

it("leaves out what an attempt shares with its generation, and restores it", () => {
  const attempts = [
    attempt({ provider: "other", provider_name: "Other", status: 503, error: "unavailable", estimated_cost: 0.1 }),
    attempt({ model: "acme/two", status: null, error: "timeout", data_region: "europe" }),
    attempt(),
  ];
  expect(roundTrip(attempts)).toEqual([
    {
      provider: "other",
      provider_name: "Other",
      status: 503,
      latency_ms: 5,
      error: "unavailable",
      estimated_cost: 0.1,
    },
    { provider_name: "Acme", model: "acme/two", status: null, latency_ms: 5, error: "timeout", data_region: "europe" },
    { provider_name: "Acme", status: 200, latency_ms: 5 },
  ]);
  expect(attemptsOf(roundTrip(attempts), answered)).toEqual(attempts);
});

it("reads older records, whose attempts name everything", () => {
  const attempts = [attempt({ provider: "other" }), attempt()];
  expect(attemptsOf(attempts, { model: "another/model", providerSlug: null })).toEqual(attempts);
});
