import { expect, it } from "vitest";
import { inTransaction } from "../../platform/database/transaction";
import { createKey, createMember } from "../../testing/factories";
import { somethingWaits } from "../../testing/locks";
import { testWorld } from "../../testing/test-context";
import { handOver } from "../members/hand-over-service";
import * as members from "../members/service";
import { lockOrganization } from "../organization/lock-store";
import { CreateKeyBody } from "./contract";
import * as keys from "./service";

const noInput = { params: {}, query: {} };

it("a management key is created while its owner is being removed", async () => {
  const world = await testWorld();
  const { context, organizationId } = world;
  const creator_user_id = await createMember(world);
  const body = CreateKeyBody.parse({ name: "Key", kind: "management", creator_user_id });
  const created = await inTransaction(context.db, async (db) => {
    await lockOrganization(db, organizationId);
    const result = keys.create(context, { ...noInput, body }).catch((error: unknown) => error);
    await somethingWaits(world);
    await members.remove({ ...context, db }, { params: { user_id: creator_user_id }, query: {}, body: undefined });
    return { result };
  });
  expect(await created.result).toMatchObject({ status: 400 });
});

it("the role of a key changes while the key is being handed over", async () => {
  const world = await testWorld();
  const { context, organizationId, adminId } = world;
  const from = await createMember(world);
  const { hash, id } = await createKey(world, { kind: "management", role: "analyst", creatorUserId: from });
  const changed = await inTransaction(context.db, async (db) => {
    await lockOrganization(db, organizationId);
    const result = keys.update(context, { params: { hash }, query: {}, body: { role: "org:auditor" } });
    result.catch(() => undefined);
    await somethingWaits(world);
    await handOver({ ...context, db }, { params: { user_id: from }, query: {}, body: { to_user_id: adminId } });
    return { result };
  });
  expect((await changed.result).data).toMatchObject({ role: "org:auditor", creator_user_id: adminId });
  expect(await context.db.key.findUniqueOrThrow({ where: { id } })).toMatchObject({ creatorUserId: adminId });
});
