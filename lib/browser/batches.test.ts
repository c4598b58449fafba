import { expect, it, vi } from "vitest";
import { batchesOf, inBatches } from "./batches";

const numbers = (length: number) => Array.from({ length }, (_, index) => index);

it("splits entries into batches", () => {
  expect(batchesOf([])).toEqual([]);
  expect(batchesOf(numbers(5), 2)).toEqual([[0, 1], [2, 3], [4]]);
  expect(batchesOf(numbers(1005)).map(({ length }) => length)).toEqual([1000, 5]);
});

it("sends one batch after the other, and says how many are done", async () => {
  const onProgress = vi.fn();
  const sums = await inBatches(numbers(2500), (batch) => Promise.resolve(batch.length), { onProgress });
  expect(sums).toEqual([1000, 1000, 500]);
  expect(onProgress.mock.calls).toEqual([[0], [1000], [2000]]);
});

it("takes back earlier batches if one fails", async () => {
  const undo = vi.fn(() => Promise.resolve());
  const send = (batch: number[]) =>
    batch.length < 1000 ? Promise.reject(new Error("refused")) : Promise.resolve(batch[0]);
  await expect(inBatches(numbers(2500), send, { undo })).rejects.toThrow("refused");
  expect(undo).toHaveBeenCalledWith([0, 1000]);
});
