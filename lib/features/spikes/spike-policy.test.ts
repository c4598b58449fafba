import { expect, it } from "vitest";
import { isOngoing, isSpike, spikeText, baselineOf } from "./spike-policy";

it.each([
  [{ recent: 9, before: 0 }, false],
  [{ recent: 10, before: 0 }, true],
  // 288 windows lie in a day: 5 each are usual.
  [{ recent: 14, before: 1440 }, false],
  [{ recent: 15, before: 1440 }, true],
  [{ recent: 100, before: 288 * 40 }, false],
])("%j is a spike: %s", (blocked, spikes) => {
  expect(isSpike(blocked)).toBe(spikes);
});

it("a spike goes on while many are blocked, and is told in words", () => {
  expect([isOngoing({ recent: 10, before: 99_999 }), isOngoing({ recent: 9, before: 0 })]).toEqual([true, false]);
  expect(baselineOf({ recent: 0, before: 432 })).toBe(1.5);
  expect(spikeText("Production", { recent: 42, before: 432 })).toBe(
    "Production blocked 42 requests in 5 minutes; usual are 1.5.",
  );
});
