import { describe, expect, it } from "vitest";
import { Prisma } from "../../../prisma/generated/client";
import { Batcher } from "./batcher";

/** Creates a batcher with manually completed writes, and the list of its batches. */
function controlled({ items = 10, weight = 100 } = {}) {
  const batches: number[][] = [];
  const ends: (() => void)[] = [];
  const batcher = new Batcher<number, string>(
    async (batch) => {
      batches.push([...batch]);
      await new Promise<void>((resolve) => ends.push(resolve));
      return batch.map(String);
    },
    { items, weight, weigh: (item) => item },
  );
  const turns = () => new Promise((resolve) => setImmediate(resolve));
  const endWrite = async () => {
    ends.shift()?.();
    await turns();
  };
  return { batcher, batches, endWrite, turns };
}

describe("a batcher", () => {
  it("writes immediately when idle, and batches what arrives during a write", async () => {
    const { batcher, batches, endWrite, turns } = controlled();
    const first = batcher.submit(1);
    await turns();
    expect(batches).toEqual([[1]]);
    const rest = [2, 3, 4].map((item) => batcher.submit(item));
    expect(batcher.waiting).toBe(3);
    await endWrite();
    expect(batches).toEqual([[1], [2, 3, 4]]);
    await endWrite();
    expect(await Promise.all([first, ...rest])).toEqual(["1", "2", "3", "4"]);
  });

  it("respects the maximum number and weight of items, writing an overweight item alone", async () => {
    const { batcher, batches, endWrite, turns } = controlled({ items: 2, weight: 10 });
    for (const item of [1, 2, 3, 8, 99, 1]) void batcher.submit(item);
    await turns();
    for (let write = 0; write < 5; write++) await endWrite();
    expect(batches).toEqual([[1, 2], [3], [8], [99], [1]]);
    await batcher.drained();
  });

  it("writes items separately after a failed batch, so that only the invalid one fails", async () => {
    const batches: number[][] = [];
    const batcher = new Batcher<number, number>(
      (batch) => {
        batches.push([...batch]);
        return batch.includes(2) ? Promise.reject(new Error("bad")) : Promise.resolve([...batch]);
      },
      { items: 10, weight: 100, weigh: () => 1 },
    );
    const written = await Promise.allSettled([1, 2, 3].map((item) => batcher.submit(item)));
    expect(written.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(batches).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  it("calls a failing store once, not once per item", async () => {
    let writes = 0;
    const unreachable = new Prisma.PrismaClientKnownRequestError("gone", { code: "P1001", clientVersion: "" });
    const batcher = new Batcher<number, number>(
      () => {
        writes += 1;
        return Promise.reject(unreachable);
      },
      { items: 10, weight: 100, weigh: () => 1 },
    );
    const written = await Promise.allSettled([1, 2, 3].map((item) => batcher.submit(item)));
    expect(written.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(writes).toBe(1);
  });
});
