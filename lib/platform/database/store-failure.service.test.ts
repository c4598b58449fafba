import { expect, it } from "vitest";
import { testDatabase } from "../../testing/test-context";
import { isConflict } from "./store-failure";
import { inTransaction, type Database } from "./transaction";

it("a deadlock of raw queries is a conflict", async () => {
  const { client } = await testDatabase();
  const lock = (db: Database, key: number) =>
    db.$queryRaw`SELECT 1 AS locked FROM pg_advisory_xact_lock(4711, ${key}::int)`;
  const held = new Set<number>();
  const lockBoth = (first: number, second: number) =>
    inTransaction(client, async (db) => {
      await lock(db, first);
      held.add(first);
      await expect.poll(() => held.size, { timeout: 30_000 }).toBe(2);
      await lock(db, second);
    });
  const results = await Promise.allSettled([lockBoth(1, 2), lockBoth(2, 1)]);
  const errors = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
  expect(errors.map(isConflict)).toEqual([true]);
});
