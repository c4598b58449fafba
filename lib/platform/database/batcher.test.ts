import { describe, expect, it } from "vitest";
import { Prisma } from "../../../prisma/generated/client";
import { Batcher } from "./batcher";

/** A batcher whose writes end when told, and the batches that it wrote. */
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
  it("writes at once when idle, and together what came during a write", async () => {
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

  it("takes no more items and no more weight than it may, but a heavy one alone", async () => {
    const { batcher, batches, endWrite, turns } = controlled({ items: 2, weight: 10 });
    for (const item of [1, 2, 3, 8, 99, 1]) void batcher.submit(item);
    await turns();
    for (let write = 0; write < 5; write++) await endWrite();
    expect(batches).toEqual([[1, 2], [3], [8], [99], [1]]);
    await batcher.drained();
  });

  it("writes each alone after a batch that failed; only the bad one's caller hears of it", async () => {
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

  it("asks a store in trouble once, not once for each", async () => {
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
