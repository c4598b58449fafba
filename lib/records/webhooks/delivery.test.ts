import { expect, it } from "vitest";
import { isAccepted, nextAttempt, reasonToDisable } from "./delivery";

const NOW = new Date("2026-11-20T10:00:00.000Z");
const HOUR_MS = 3_600_000;

it("retries after 5 s, 30 s, 2 min, 10 min, 1 h and 6 h, then stops", () => {
  const waits = [1, 2, 3, 4, 5, 6, 7].map((tries) => {
    const next = nextAttempt(tries, NOW);
    return next && (next.getTime() - NOW.getTime()) / 1000;
  });
  expect(waits).toEqual([5, 30, 120, 600, 3600, 21_600, null]);
});

it.each([
  [200, true],
  [204, true],
  [299, true],
  [199, false],
  [302, false],
  [410, false],
  [500, false],
  [null, false],
])("%s accepts: %s", (status, accepted) => {
  expect(isAccepted(status)).toBe(accepted);
});

it.each([
  [410, 0, "The receiver returned 410 Gone"],
  [500, 71, null],
  [500, 72, "All deliveries failed for three days"],
  [null, 100, "All deliveries failed for three days"],
])("%s after failing for %i hours disables the webhook with the reason: %s", (status, hours, reason) => {
  expect(reasonToDisable(status, new Date(NOW.getTime() - hours * HOUR_MS), NOW)).toBe(reason);
});
