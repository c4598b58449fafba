import { expect, it } from "vitest";
import { NO_GRANTS } from "../../platform/grants";
import { NO_KEY_LIMIT } from "../../engine/budgets/budget-rule";
import type { Context } from "../../platform/context";
import { createKey } from "../../testing/factories";
import { createGeneration } from "../../testing/generations";
import { testWorld, type World } from "../../testing/test-context";
import { UNLIMITED_CREDITS } from "./credits-contract";
import * as credits from "./credits-service";

const withKey = ({ context, organizationId, workspaceId, adminId }: World, keyId: string): Context => ({
  ...context,
  caller: {
    kind: "key",
    keyKind: "inference",
    keyId,
    keyName: "K",
    organizationId,
    workspaceId,
    userId: adminId,
    limit: NO_KEY_LIMIT,
    grants: NO_GRANTS,
  },
});

it("are a key's own spend and limit, and the organization's spend for admins", async () => {
  const world = await testWorld();
  const [limited, open] = [await createKey(world), await createKey(world)];
  await world.context.db.key.update({ where: { id: limited.id }, data: { limitMicroUsd: 5_000_000n } });
  await createGeneration(world, { keyId: limited.id, costMicroUsd: 1_500_000n });
  await createGeneration(world, { keyId: open.id, costMicroUsd: 500_000n });
  const other = await testWorld();
  await createGeneration(other, { keyId: (await createKey(other)).id, costMicroUsd: 7_000_000n });
  expect((await credits.get(withKey(world, limited.id))).data).toMatchObject({ total_usage: 1.5, is_limited: true });
  expect((await credits.get(withKey(world, open.id))).data).toEqual({
    total_credits: UNLIMITED_CREDITS,
    total_usage: 0.5,
    is_limited: false,
  });
  expect((await credits.get(world.context)).data).toEqual({
    total_credits: UNLIMITED_CREDITS,
    total_usage: 2,
    is_limited: false,
  });
});
