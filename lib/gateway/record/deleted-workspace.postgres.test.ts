import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { createWorkspace } from "../../testing/factories";
import { inTransaction } from "../../platform/database/transaction";
import { outcomeOf } from "../../testing/outcomes";
import { testWorld } from "../../testing/test-context";
import { record } from "./record-store";

it("a record waits for the deletion of its workspace, and is then left out", async () => {
  const world = await testWorld();
  const { context } = world;
  const workspaceId = await createWorkspace(world);
  const own = { ...context, caller: { ...context.caller, workspaceId } };
  const recording = await inTransaction(context.db, async (db) => {
    await db.workspace.delete({ where: { id: workspaceId } });
    const writing = Promise.all([record(own, outcomeOf()), record(own, outcomeOf())]);
    await sleep(300);
    return { writing };
  });
  await recording.writing;
  expect(await context.db.generation.count({ where: { workspaceId } })).toBe(0);
});
