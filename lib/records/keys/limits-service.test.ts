import { expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { failure } from "../../testing/expect-failure";
import { createKey } from "../../testing/factories";
import { createGeneration } from "../../testing/generations";
import { testWorld, type World } from "../../testing/test-context";
import { setLimits } from "./limits-service";
import * as keys from "./service";
import { bulkSetKeyLimits, type BulkSetKeyLimitsBody } from "./limits-contract";

const set = async (context: Context, body: BulkSetKeyLimitsBody, dry_run: "true" | "false" = "false") =>
  bulkSetKeyLimits.result.parse(await setLimits(context, { params: {}, query: { dry_run }, body }));
const limitsOf = async ({ context, organizationId }: World) =>
  Object.fromEntries(
    (await context.db.key.findMany({ where: { organizationId } })).map(({ hash, limitMicroUsd, limitReset }) => [
      hash,
      [limitMicroUsd, limitReset],
    ]),
  );
const to = (limit: number | null, limit_reset: "daily" | "monthly" | null, hashes: string[]) =>
  hashes.map((key_hash) => ({ key_hash, limit, limit_reset }));

async function threeKeys(world: World) {
  const hashes = [(await createKey(world)).hash, (await createKey(world)).hash, (await createKey(world)).hash];
  await world.context.db.key.update({
    where: { hash: hashes[1] ?? "" },
    data: { limitMicroUsd: 5_000_000n, limitReset: "daily" },
  });
  await world.context.db.key.update({
    where: { hash: hashes[2] ?? "" },
    data: { limitMicroUsd: 9_000_000n, limitReset: "monthly" },
  });
  return hashes as [string, string, string];
}

it("previews the result, sets all at once, audits each, and can be undone exactly", async () => {
  const world = await testWorld();
  const [bare, daily, same] = await threeKeys(world);
  const before = await limitsOf(world);
  const wanted = { keys: to(9, "monthly", [bare, daily, same]) };
  const previous = [
    { key_hash: bare, limit: null, limit_reset: null },
    { key_hash: daily, limit: 5, limit_reset: "daily" as const },
  ];
  expect(await set(world.context, wanted, "true")).toEqual({ changed_count: 2, previous });
  expect(await limitsOf(world)).toEqual(before);

  const done = await set(world.context, wanted);
  expect(done).toEqual({ changed_count: 2, previous });
  expect(Object.values(await limitsOf(world))).toEqual(Array(3).fill([9_000_000n, "monthly"]));
  expect(
    await world.context.db.auditEvent.count({ where: { organizationId: world.organizationId, action: "key.update" } }),
  ).toBe(2);
  expect((await set(world.context, wanted)).changed_count).toBe(0);

  await set(world.context, { keys: done.previous, expected: { limit: 9, limit_reset: "monthly" } });
  expect(await limitsOf(world)).toEqual(before);
});

it("undoes nothing once a limit was changed, and names the key", async () => {
  const world = await testWorld();
  const hashes = await threeKeys(world);
  const { previous } = await set(world.context, { keys: to(9, "monthly", hashes) });
  await set(world.context, { keys: to(1, null, [hashes[0]]) });
  const now = await limitsOf(world);
  expect(await failure(set(world.context, { keys: previous, expected: { limit: 9, limit_reset: "monthly" } }))).toEqual(
    {
      status: 409,
      metadata: { conflicts: [{ key_hash: hashes[0], name: "Key", limit: 1, limit_reset: null }] },
    },
  );
  expect(await limitsOf(world)).toEqual(now);
});

it("changes none when one is unknown, deleted or foreign", async () => {
  const [world, other] = [await testWorld(), await testWorld()];
  const hashes = await threeKeys(world);
  const foreign = (await createKey(other)).hash;
  const before = await limitsOf(world);
  expect(await failure(set(world.context, { keys: to(1, null, [...hashes, foreign]) }))).toMatchObject({
    status: 400,
    metadata: { unknown: [foreign] },
  });
  expect(await limitsOf(world)).toEqual(before);
});

it("counts spend already in the window", async () => {
  const world = await testWorld();
  const key = await createKey(world);
  await createGeneration(world, { keyId: key.id, costMicroUsd: 2_000_000n });
  for (const limit of [5, 4]) {
    await set(world.context, { keys: to(limit, "daily", [key.hash]) });
    expect(
      (await keys.get(world.context, { params: { hash: key.hash }, query: {}, body: undefined })).data.limit_remaining,
    ).toBe(limit - 2);
  }
});
