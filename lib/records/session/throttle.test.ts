import { describe, expect, it } from "vitest";
import { waitOf, type Failures } from "./throttle";

const NOW = new Date("2026-11-20T10:00:00.000Z");
const failed = (count: number, secondsAgo = 0): Failures => ({
  count,
  lastAt: new Date(NOW.getTime() - secondsAgo * 1000),
});

describe("the delay", () => {
  it.each([
    ["five failures of a client are free", { client: failed(4) }, 0],
    ["then it starts at a second", { client: failed(5) }, 1_000],
    ["doubles", { client: failed(8) }, 8_000],
    ["counts from the last failure", { client: failed(8, 5) }, 3_000],
    ["ends at 15 minutes", { client: failed(500) }, 900_000],
    ["thirty failures of a network are free", { network: failed(29) }, 0],
    ["and then delay everything from it", { network: failed(31), client: failed(0) }, 2_000],
    ["failures from many networks leave a new client its first attempt", { account: failed(1_000_000) }, 0],
    ["but only that one", { account: failed(1_000_000), client: failed(1) }, 1_000],
    ["failures are forgotten after a day", { client: failed(500, 24 * 60 * 60) }, 0],
  ] satisfies [string, Parameters<typeof waitOf>[0], number][])("%s", (_, failures, wait) => {
    expect(waitOf(failures, NOW)).toBe(wait);
  });
});
