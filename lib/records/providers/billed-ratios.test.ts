import { describe, expect, it } from "vitest";
import { BilledRatioLog } from "./billed-ratios";

function logOf(...requests: [billed: number, estimated: number][]) {
  const log = new BilledRatioLog();
  for (const [billed, estimated] of requests) log.record("a", { billed, estimated });
  return log.ratios.get("a");
}

describe("the comparison of billed prompts with their estimates", () => {
  it("has the difference of short prompts and the ratio of longer ones", () => {
    expect(logOf([70, 10], [30, 10], [30, 10], [1500, 1000])).toEqual({
      differences: { typical: 20, highest: 60 },
      ratios: { typical: 1.5, highest: 1.5 },
    });
  });

  it("is bounded against upstreams that report nonsense", () => {
    expect(logOf([1_000_000, 1000])?.ratios).toEqual({ typical: 20, highest: 20 });
    expect(logOf([1, 1000])?.ratios).toEqual({ typical: 0.1, highest: 0.1 });
    expect(logOf([2_000_000_000, 10])?.differences).toEqual({ typical: 5120, highest: 5120 });
    expect(logOf([0, 1000], [10, 0])).toBeUndefined();
  });

  it("forgets all but the latest hundred requests", () => {
    const requests = Array.from({ length: 100 }, (): [number, number] => [1000, 1000]);
    expect(logOf([9000, 1000], ...requests)?.ratios?.highest).toBe(1);
  });
});
