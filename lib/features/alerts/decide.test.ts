import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide, type Decision, type Measurement, type State } from "./decide";

const MINUTE_MS = 60_000;
const NOW = new Date("2026-11-20T10:00:00.000Z");
const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * MINUTE_MS);
const RULE = { threshold: 10, minRequests: 5, quietMs: 60 * MINUTE_MS };
const OK: State = { firing: null, lastNotifiedAt: null };
const firing = (notifiedMinutesAgo: number | null): State => {
  const notifiedAt = notifiedMinutesAgo === null ? null : minutesAgo(notifiedMinutesAgo);
  return { firing: { notifiedAt }, lastNotifiedAt: notifiedAt };
};
const quietSince = (minutes: number): State => ({ firing: null, lastNotifiedAt: minutesAgo(minutes) });
const at = (value: number | null, samples = 100, floor?: number): Measurement => ({
  value,
  samples,
  ...(floor !== undefined && { floor }),
});

describe("decide", () => {
  it.each<[string, Measurement, State, Decision]>([
    ["below the threshold", at(9.99), OK, { outcome: "ok" }],
    ["at the threshold", at(10), OK, { outcome: "fired", notifies: true }],
    ["with too few requests", at(100, 4), OK, { outcome: "ok" }],
    ["with just enough requests", at(100, 5), OK, { outcome: "fired", notifies: true }],
    ["without anything to measure", at(null, 0), OK, { outcome: "ok" }],
    ["below a multiple of the usual value", at(20, 20, 30), OK, { outcome: "ok" }],
    ["at a multiple of the usual value", at(30, 30, 30), OK, { outcome: "fired", notifies: true }],
    ["again within the quiet period", at(10), quietSince(59), { outcome: "fired", notifies: false }],
    ["again after the quiet period", at(10), quietSince(60), { outcome: "fired", notifies: true }],
    ["firing, within the quiet period", at(12), firing(59), { outcome: "still_firing", notifies: false }],
    ["firing, after the quiet period", at(12), firing(60), { outcome: "still_firing", notifies: true }],
    ["firing, a little below the threshold", at(9), firing(5), { outcome: "still_firing", notifies: false }],
    ["firing, with few requests", at(12, 1), firing(5), { outcome: "still_firing", notifies: false }],
    ["firing, whatever the usual value", at(12, 12, 300), firing(5), { outcome: "still_firing", notifies: false }],
    ["firing, well below the threshold", at(8.99), firing(5), { outcome: "resolved", notifies: true }],
    ["firing, without anything to measure", at(null, 0), firing(5), { outcome: "resolved", notifies: true }],
    ["firing without a notification, over", at(0), firing(null), { outcome: "resolved", notifies: false }],
  ])("%s", (_, measurement, state, decision) => {
    expect(decide(RULE, measurement, state, NOW)).toEqual(decision);
  });
});

it.each<[string, Measurement, State, Decision]>([
  ["above the threshold", at(10.1), OK, { outcome: "ok" }],
  ["at the threshold", at(10), OK, { outcome: "fired", notifies: true }],
  ["at 0", at(0), OK, { outcome: "fired", notifies: true }],
  ["without anything to measure", at(null, 0), OK, { outcome: "ok" }],
  ["firing, below the threshold", at(3), firing(5), { outcome: "still_firing", notifies: false }],
  ["firing, above the threshold", at(10.1), firing(5), { outcome: "resolved", notifies: true }],
  ["firing, without anything to measure", at(null, 0), firing(5), { outcome: "resolved", notifies: true }],
])("decides about a rule that fires below its threshold: %s", (_, measurement, state, decision) => {
  expect(decide({ ...RULE, firesBelow: true }, measurement, state, NOW)).toEqual(decision);
});

/** Applies decisions one minute after the other. */
function history(values: readonly (number | null)[]) {
  let state = OK;
  return values.map((value, minute) => {
    const now = new Date(NOW.getTime() + minute * MINUTE_MS);
    const decision = decide(RULE, at(value), state, now);
    const notified = decision.outcome !== "ok" && decision.outcome !== "resolved" && decision.notifies ? now : null;
    const lastNotifiedAt = notified ?? state.lastNotifiedAt;
    if (decision.outcome === "fired") state = { firing: { notifiedAt: notified }, lastNotifiedAt };
    else if (decision.outcome === "still_firing")
      state = { firing: { notifiedAt: notified ?? state.firing?.notifiedAt ?? null }, lastNotifiedAt };
    else state = { firing: null, lastNotifiedAt };
    return { decision, minute, isFiring: state.firing !== null };
  });
}

const values = fc.array(fc.option(fc.double({ min: 0, max: 30, noNaN: true })), { maxLength: 300 });

describe("any sequence of measurements", () => {
  it("notifies of firing at most once in a quiet period", () => {
    fc.assert(
      fc.property(values, (given) => {
        const notified = history(given).flatMap(({ decision, minute }) =>
          decision.outcome !== "ok" && decision.outcome !== "resolved" && decision.notifies ? [minute] : [],
        );
        expect(notified.slice(1).every((minute, index) => minute - (notified[index] ?? 0) >= 60)).toBe(true);
      }),
    );
  });

  it("alternates between fired and resolved, and changes nothing between 90 % and the threshold", () => {
    fc.assert(
      fc.property(values, (given) => {
        const changes = history(given).filter(({ decision }) => ["fired", "resolved"].includes(decision.outcome));
        expect(
          changes.every(({ decision }, index) => decision.outcome === (index % 2 === 0 ? "fired" : "resolved")),
        ).toBe(true);
        const inBand = history(given).filter(({ minute }) => {
          const value = given[minute] ?? null;
          return value !== null && value >= 9 && value < 10;
        });
        expect(inBand.every(({ decision }) => ["ok", "still_firing"].includes(decision.outcome))).toBe(true);
      }),
    );
  });

  it("notifies of a resolution if and only if its firing was notified", () => {
    fc.assert(
      fc.property(values, (given) => {
        let isNotified = false;
        for (const { decision } of history(given)) {
          if (decision.outcome === "fired") isNotified = decision.notifies;
          else if (decision.outcome === "still_firing") isNotified ||= decision.notifies;
          else if (decision.outcome === "resolved") expect(decision.notifies).toBe(isNotified);
        }
      }),
    );
  });
});
