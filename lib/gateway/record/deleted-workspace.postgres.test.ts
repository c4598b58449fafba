import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { purgeExpired } from "../../features/retention/service";
import { createWorkspace } from "../../testing/factories";
import { inTransaction } from "../../platform/database/transaction";
import * as workspaces from "../../records/workspaces/service";
import { outcomeOf } from "../../testing/outcomes";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { record } from "./record-store";

const flagged = () =>
  outcomeOf({
    decisions: [
      {
        scope: "key",
        guardrail_id: null,
        guardrail_name: null,
        revision: null,
        field: "f",
        rule: "x",
        action: "flag",
        spans: [],
      },
    ],
  });
const inWorkspace = ({ context }: World, workspaceId: string) => ({
  ...context,
  caller: { ...context.caller, workspaceId },
});

it("a record waits for the deletion of its workspace, and is then left out", async () => {
  const world = await testWorld();
  const { db } = world.context;
  const workspaceId = await createWorkspace(world);
  const outcomes = [flagged(), flagged()];
  const recording = await inTransaction(db, async (transaction) => {
    await transaction.workspace.delete({ where: { id: workspaceId } });
    const writing = Promise.all(outcomes.map((outcome) => record(inWorkspace(world, workspaceId), outcome)));
    await sleep(300);
    return { writing };
  });
  await recording.writing;
  const ids = { in: outcomes.map(({ id }) => id) };
  expect(await db.generation.count({ where: { id: ids } })).toBe(0);
  expect(await db.generationContent.count({ where: { generationId: ids } })).toBe(0);
  expect(await db.decision.count({ where: { generationId: ids } })).toBe(0);
});

it("a record doesn't wait for the deletion of a deleted workspace's history, and is deleted with it", async () => {
  const world = await testWorld();
  const { db } = world.context;
  const workspaceId = await createWorkspace(world);
  const own = inWorkspace(world, workspaceId);
  await record(own, flagged());
  await workspaces.remove(world.context, { params: { id: workspaceId }, query: {}, body: undefined });
  const late = flagged();
  const { purge } = await inTransaction(db, async (transaction) => {
    // Blocks the first batch of the purge.
    await transaction.$executeRaw`SELECT FROM generations WHERE workspace_id = ${workspaceId}::uuid FOR UPDATE`;
    const purging = purgeExpired(db, NOW);
    await sleep(300);
    await record(own, late);
    expect(await db.generation.count({ where: { workspaceId } })).toBe(2);
    return { purge: purging };
  });
  await purge;
  expect(await db.generation.count({ where: { workspaceId } })).toBe(0);
  expect(await db.decision.count({ where: { generationId: late.id } })).toBe(0);
  expect(await db.workspace.count({ where: { id: workspaceId } })).toBe(0);
});
