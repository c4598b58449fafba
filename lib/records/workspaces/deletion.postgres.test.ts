import { describe, expect, it } from "vitest";
import { create as createAlert } from "../../features/alerts/service";
import { CreateAlertBody } from "../../features/alerts/contract";
import { create as createGuardrail } from "../../features/guardrails/service";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import { inTransaction } from "../../platform/database/transaction";
import { createWorkspace } from "../../testing/factories";
import { somethingWaits } from "../../testing/locks";
import { testWorld, type World } from "../../testing/test-context";
import { CreateGuardrailBody } from "../guardrails/contract";
import { CreateKeyBody } from "../keys/contract";
import { create as createKey } from "../keys/service";
import * as presets from "../presets/service";
import * as workspaces from "./service";

const noInput = { params: {}, query: {} };
const remove = ({ context }: World, id: string) =>
  workspaces.remove(context, { params: { id }, query: {}, body: undefined });

const WRITES: Record<string, [status: number, (world: World, workspace_id: string) => Promise<unknown>]> = {
  "a new key": [
    400,
    ({ context }, workspace_id) =>
      createKey(context, { ...noInput, body: CreateKeyBody.parse({ name: "K", workspace_id }) }),
  ],
  "a new guardrail": [
    400,
    ({ context }, workspace_id) =>
      createGuardrail(context, { ...noInput, body: CreateGuardrailBody.parse({ name: "G", workspace_id }) }),
  ],
  "a new preset": [
    404,
    ({ context }, workspace_id) =>
      presets.createFromResponses(context, {
        params: { slug: "p" },
        query: { workspace_id },
        body: ResponsesBody.parse({}),
      }),
  ],
  "a preset taken out of the archive": [
    404,
    ({ context }, workspace_id) =>
      presets.update(context, { params: { slug: "archived" }, query: { workspace_id }, body: { status: "active" } }),
  ],
  "a new alert rule": [
    400,
    ({ context }, workspace_id) =>
      createAlert(context, {
        ...noInput,
        body: CreateAlertBody.parse({ name: "A", kind: "error_rate", threshold: 5, window_minutes: 5, workspace_id }),
      }),
  ],
};

/** Creates a workspace whose only preset is archived. */
async function archivedWorkspace(world: World): Promise<string> {
  const id = await createWorkspace(world);
  const located = { params: { slug: "archived" }, query: { workspace_id: id } };
  await presets.createFromResponses(world.context, { ...located, body: ResponsesBody.parse({}) });
  await presets.update(world.context, { ...located, body: { status: "archived" } });
  return id;
}

describe.each(Object.entries(WRITES))("%s", (_, [status, write]) => {
  it("waits for a concurrent deletion of its workspace, and fails", async () => {
    const world = await testWorld();
    const id = await archivedWorkspace(world);
    const written = await inTransaction(world.context.db, async (db) => {
      await workspaces.remove({ ...world.context, db }, { params: { id }, query: {}, body: undefined });
      const result = write(world, id).catch((error: unknown) => error);
      await somethingWaits(world);
      return { result };
    });
    expect(await written.result).toMatchObject({ status });
  });
});

it("the deletion of a workspace waits for a key that is being created in it, and is rejected", async () => {
  const world = await testWorld();
  const id = await archivedWorkspace(world);
  const deleted = await inTransaction(world.context.db, async (db) => {
    await createKey(
      { ...world.context, db },
      { ...noInput, body: CreateKeyBody.parse({ name: "K", workspace_id: id }) },
    );
    const result = remove(world, id).catch((error: unknown) => error);
    await somethingWaits(world);
    return { result };
  });
  expect(await deleted.result).toMatchObject({ status: 409, metadata: { holds: { keys: 1 } } });
});
