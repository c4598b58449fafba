import { expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { createGeneration } from "../../testing/generations";
import { testWorld } from "../../testing/test-context";
import * as generations from "./service";

const tail = (context: Context, since?: string) =>
  generations.tail(context, { params: {}, query: { limit: 7, since }, body: undefined });

it("has no gaps or duplicates while eight writers record concurrently, with transactions of any length", async () => {
  const world = await testWorld();
  const { context } = world;
  let cursor = (await tail(context)).next_cursor;
  const seen: string[] = [];
  const read = async () => {
    const { data, next_cursor } = await tail(context, cursor);
    seen.push(...data.map(({ id }) => id));
    cursor = next_cursor;
  };
  const writer = async (number: number) => {
    const made: string[] = [];
    for (let index = 0; index < 6; index++) {
      const id = await context.db.$transaction?.(async (db) => {
        const written = await createGeneration({ ...world, context: { ...context, db } });
        await db.$executeRaw`SELECT pg_sleep(${((number * 7 + index * 13) % 10) / 100}::float8)`;
        return written;
      });
      if (id !== undefined) made.push(id);
    }
    return made;
  };
  let isWriting = true as boolean;
  const writing = Promise.all(Array.from({ length: 8 }, (_, number) => writer(number))).finally(
    () => (isWriting = false),
  );
  while (isWriting) await read();
  const made = (await writing).flat();
  // An open transaction of another database holds back the whole cluster's horizon until it ends.
  while (seen.length < made.length) await read();
  await read();
  expect(made).toHaveLength(48);
  expect(seen.toSorted()).toEqual(made.toSorted());
});
