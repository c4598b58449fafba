import { describe, expect, it } from "vitest";
import { NOW, testWorld } from "../../testing/test-context";
import { inTransaction } from "./transaction";
import { runStatement, StatementError } from "./statement";
import { storeFailure } from "./store-failure";

const RENAME = {
  name: "test_rename",
  text: "UPDATE organizations SET name = $2, created_at = $3::timestamptz WHERE id = $1::uuid",
};

describe("a prepared statement", () => {
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
