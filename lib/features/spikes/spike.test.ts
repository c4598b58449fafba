import { expect, it } from "vitest";
import { isOngoing, isSpike, spikeText, baselineOf } from "./spike";

it.each([
  [{ recent: 9, before: 0 }, false],
  [{ recent: 10, before: 0 }, true],
  // A day has 288 windows, so the baseline is 5 per window.
  [{ recent: 14, before: 1440 }, false],
  [{ recent: 15, before: 1440 }, true],
  [{ recent: 100, before: 288 * 40 }, false],
])("%j is a spike: %s", (blocked, spikes) => {
  expect(isSpike(blocked)).toBe(spikes);
});

it("a spike continues while many requests are blocked, and has a message", () => {
  expect([isOngoing({ recent: 10, before: 99_999 }), isOngoing({ recent: 9, before: 0 })]).toEqual([true, false]);
  expect(baselineOf({ recent: 0, before: 432 })).toBe(1.5);
  expect(spikeText("Production", { recent: 42, before: 432 })).toBe(
    "Production blocked 42 requests in 5 minutes (baseline: 1.5).",
  );
});
