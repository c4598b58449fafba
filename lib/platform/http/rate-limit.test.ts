import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { takeToken, type Bucket } from "./rate-limit";

describe("takeToken", () => {
  it("allows a full burst, then returns the time until the next request", () => {
    let bucket: Bucket | undefined;
    for (let i = 0; i < 60; i++) {
      const verdict = takeToken(bucket, 60, 0);
      expect(verdict).toMatchObject({ allowed: true, remaining: 59 - i, retryAfter: 0 });
      bucket = verdict.bucket;
    }
    expect(takeToken(bucket, 60, 0)).toMatchObject({ allowed: false, remaining: 0, retryAfter: 1 });
    expect(takeToken(bucket, 60, 1000)).toMatchObject({ allowed: true, remaining: 0 });
  });

  it("never admits more than the burst plus the refill", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 600 }),
        fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 300 }),
        (perMinute, gaps) => {
          let bucket: Bucket | undefined;
          let now = 0;
          let admitted = 0;
          for (const gap of gaps) {
            now += gap;
            const verdict = takeToken(bucket, perMinute, now);
            bucket = verdict.bucket;
            if (verdict.allowed) admitted += 1;
          }
          expect(admitted).toBeLessThanOrEqual(perMinute + (now * perMinute) / 60_000 + 1e-6);
        },
      ),
    );
  });

  it("isn't affected by a clock going backwards", () => {
    const { bucket } = takeToken(undefined, 10, 1000);
    expect(takeToken(bucket, 10, 0)).toMatchObject({ allowed: true, remaining: 8 });
  });
});
