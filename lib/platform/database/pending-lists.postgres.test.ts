import { expect, it } from "vitest";
import { record } from "../../gateway/record/record-store";
import { ListGenerationsQuery } from "../../records/generations/contract";
import { list } from "../../records/generations/service";
import { outcomeOf } from "../../testing/outcomes";
import { testWorld } from "../../testing/test-context";
import { MERGE } from "./pending-lists";

/** Merges the lists, and returns how many pages they had. */
const MERGE_AND_COUNT = MERGE.replace(/(gin_clean_pending_list\(\S+\))/, "sum($1)::int AS pages");

/** Words that occur nowhere else. */
const text = (of: number) => Array.from({ length: 8000 }, (_, index) => `word${of}x${index}`).join(" ");
const content = (of: number) => ({ messages: [{ role: "user" as const, content: text(of) }], blocked: null });

it("merges new entries of the full-text indexes when someone searches", async () => {
  const { context } = await testWorld();
  const { db } = context;
  const merged = async () => (await db.$queryRawUnsafe<{ pages: number }[]>(MERGE_AND_COUNT))[0]?.pages;
  await merged();
  await record(context, outcomeOf({ prompt: content(0) }));
  const ofOne = (await merged()) ?? 0;
  expect(ofOne).toBeGreaterThan(0);
  for (let of = 1; of <= 6; of += 1) await record(context, outcomeOf({ prompt: content(of) }));
  await list(context, { params: {}, query: ListGenerationsQuery.parse({ q: "word1x1" }), body: undefined });
  // Waits for the merge that the search has begun.
  const isMerging = async () =>
    (
      await db.$queryRawUnsafe<object[]>(
        "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid() AND query LIKE '%gin_clean_pending_list%'",
      )
    ).length > 0;
  while (await isMerging());
  expect(await merged()).toBeLessThan(ofOne);
});
