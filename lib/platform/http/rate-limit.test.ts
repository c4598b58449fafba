import { describe, expect, it } from "vitest";
import { drawn, leftover, nextSize, runsLow, SLICE_MS, stateOf, takeToken, type Slice } from "./rate-limit";

const slice = (given: Partial<Slice> = {}): Slice => ({
  tokens: 4,
  size: 4,
  drawnAt: 1_000,
  bucket: { tokens: 50, at: 1_000 },
  ...given,
});

describe("a slice", () => {
  it("gives its tokens one by one, and runs low when less than half is left", () => {
    const states: [number, boolean][] = [];
    let current = slice();
    for (;;) {
      const taken = takeToken(current, 60, 1_500);
      if (taken.verdict !== "allowed") {
        expect(taken.verdict).toBe("unknown");
        break;
      }
      current = taken.slice;
      states.push([current.tokens, runsLow(current)]);
    }
    expect(states).toEqual([
      [3, false],
      [2, false],
      [1, true],
      [0, true],
    ]);
  });

  it("refuses without a statement until the next token of an empty bucket", () => {
    const empty = slice({ tokens: 0, bucket: { tokens: 0.25, at: 1_000 } });
    expect(takeToken(empty, 60, 1_749).verdict).toBe("refused");
    expect(takeToken(empty, 60, 1_750).verdict).toBe("unknown");
    expect(takeToken(undefined, 60, 0).verdict).toBe("unknown");
  });

  it("is put back when its time is over", () => {
    expect(takeToken(slice(), 60, 1_000 + SLICE_MS - 1).verdict).toBe("allowed");
    expect(leftover(slice(), 1_000 + SLICE_MS - 1)).toBe(0);
    expect(takeToken(slice(), 60, 1_000 + SLICE_MS).verdict).toBe("unknown");
    expect(leftover(slice(), 1_000 + SLICE_MS)).toBe(4);
    expect(drawn(slice(), 2, { tokens: 1, at: 2_000 }, 8, 2_000).tokens).toBe(6);
    expect(drawn(slice(), 2, { tokens: 1, at: 2_000 }, 8, 1_000 + SLICE_MS).tokens).toBe(2);
  });

  it("grows with the rate up to the limit, and shrinks to the first size", () => {
    expect([1_999, 2_000, 11_000, 11_001].map((now) => nextSize(slice({ size: 12 }), 600, now))).toEqual([
      24, 12, 12, 6,
    ]);
    expect(nextSize(slice({ size: 12 }), 20, 1_001)).toBe(20);
    expect(nextSize(slice({ size: 4 }), 20, 60_000)).toBe(4);
  });
});

describe("the state of a limit", () => {
  it("counts the slice and what the bucket refills", () => {
    expect(stateOf(undefined, 60, 5_000)).toMatchObject({ remaining: 60, reset: 5 });
    expect(stateOf(slice(), 60, 1_000)).toEqual({ remaining: 54, retryAfter: 1, reset: 7 });
    expect(stateOf(slice(), 60, 4_500)).toMatchObject({ remaining: 57, reset: 7 });
  });

  it("isn't affected by a clock going backwards", () => {
    expect(stateOf(slice(), 60, 0)).toMatchObject({ remaining: 54 });
  });

  it("says when the next request is allowed", () => {
    const empty = slice({ tokens: 0, bucket: { tokens: 0, at: 1_000 } });
    expect(stateOf(empty, 6, 1_000)).toMatchObject({ remaining: 0, retryAfter: 10 });
  });
});
