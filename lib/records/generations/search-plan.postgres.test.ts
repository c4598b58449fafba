import { beforeAll, expect, it } from "vitest";
import { NOW, testDatabase, testWorld, type World } from "../../testing/test-context";
import { searchPlan } from "./search-store";

let world: World;

/** Adds contents, newest first, with 40 of 400 words each, and more text. */
const addContents = (count: number, from: Date, text: string) => world.context.db.$executeRaw`
  INSERT INTO generation_contents (created_at, generation_id, input, search_text)
  SELECT ${from}::timestamptz - n * interval '1 second', 'gen-' || ${text}::text || n, '{}', (
    SELECT string_agg('w' || (n * 7 + place * 11) % 400, ' ') FROM generate_series(1, 40) place
  ) || ' ' || ${text}::text
  FROM generate_series(1, ${count}::int) n`;

beforeAll(async () => {
  world = await testWorld();
  await addContents(30_000, new Date(NOW.getTime() - 1_000_000), "");
  await (await testDatabase()).query("VACUUM ANALYZE generation_contents");
  await addContents(1, new Date(NOW.getTime() - 100_000_000), "onlyonce");
  await addContents(20, NOW, "justnow");
});

it("collects words from the index that the planner doesn't know, unless a sample has them", async () => {
  // With pages of 50, that takes a log of two million contents.
  const plan = (q: string) => searchPlan(world.context.db, q, 0.1);
  expect(await plan("onlyonce")).toBe("index");
  expect(await plan("never")).toBe("index");
  expect(await plan("w5 never")).toBe("index");
  expect(await plan("w5")).toBe("contents");
  expect(await plan("justnow")).toBe("contents");
});
