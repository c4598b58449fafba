import { describe, expect, it } from "vitest";
import { NOW, testWorld } from "../../testing/test-context";
import { inTransaction } from "./transaction";
import { readStatement, runStatement, StatementError } from "./statement";
import { storeFailure } from "./store-failure";

const RENAME = {
  name: "test_rename",
  text: "UPDATE organizations SET name = $2, created_at = $3::timestamptz WHERE id = $1::uuid",
};

const READ = {
  name: "test_read",
  text: `
    SELECT id::text, created_at AS "createdAt", name IS NULL AS "isNameless", 7::int4 AS count, '{"a": [1]}'::jsonb AS value
    FROM organizations WHERE id = $1::uuid`,
};

describe("a prepared statement", () => {
  it("returns the same rows to the driver and inside a transaction", async () => {
    const { context, organizationId } = await testWorld();
    const read = (db: typeof context.db) => readStatement(db, READ, [organizationId]);
    const rows = await read(context.db);
    expect(rows).toEqual([
      { id: organizationId, createdAt: expect.any(Date) as Date, isNameless: false, count: 7, value: { a: [1] } },
    ]);
    expect(await inTransaction(context.db, read)).toEqual(rows);
    expect(await read(context.db)).toEqual(rows);
  });

  it("runs beside the client, any number of times", async () => {
    const { context, organizationId } = await testWorld();
    for (const name of ["One", "Two", "Three"])
      await runStatement(context.db, RENAME, [organizationId, name, NOW.toISOString()]);
    const { name } = await context.db.organization.findUniqueOrThrow({ where: { id: organizationId } });
    expect(name).toBe("Three");
  });

  it("is part of the transaction that it is given", async () => {
    const { context, organizationId } = await testWorld();
    const failing = inTransaction(context.db, async (db) => {
      await runStatement(db, RENAME, [organizationId, "Renamed", NOW.toISOString()]);
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    const { name } = await context.db.organization.findUniqueOrThrow({ where: { id: organizationId } });
    expect(name).not.toBe("Renamed");
  });

  it("fails with PostgreSQL's code, and the next one succeeds", async () => {
    const { context, organizationId } = await testWorld();
    const error = await runStatement(context.db, RENAME, ["no id", "x", null]).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StatementError);
    expect(error).toMatchObject({ code: "22P02" });
    expect(storeFailure(error)).toBeNull();
    await runStatement(context.db, RENAME, [organizationId, "x", NOW.toISOString()]);
  });
});
