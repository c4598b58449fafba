import { expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { failure } from "../../testing/expect-failure";
import { createKey } from "../../testing/factories";
import { testWorld, type World } from "../../testing/test-context";
import { bulkTagKeys, BulkTagKeysBody } from "./tags-contract";
import { tagKeys } from "./tags-service";

const tag = async (context: Context, body: BulkTagKeysBody) =>
  bulkTagKeys.result.parse(await tagKeys(context, { params: {}, query: {}, body: BulkTagKeysBody.parse(body) }));

async function keysWith(world: World, ...tags: string[][]) {
  const hashes: string[] = [];
  for (const own of tags) {
    const { hash } = await createKey(world);
    await world.context.db.key.update({ where: { hash }, data: { tags: own } });
    hashes.push(hash);
  }
  return hashes;
}

const tagsOf = async ({ context }: World, hashes: readonly string[]) =>
  Promise.all(hashes.map(async (hash) => (await context.db.key.findUniqueOrThrow({ where: { hash } })).tags));

it("adds and removes tags, says what changed, and audits each key", async () => {
  const world = await testWorld();
  const hashes = await keysWith(world, [], ["team:a", "batch"], ["team:b"]);
  const { changed } = await tag(world.context, { key_hashes: hashes, add: ["team:b"], remove: ["batch"] });
  expect(await tagsOf(world, hashes)).toEqual([["team:b"], ["team:a", "team:b"], ["team:b"]]);
  expect(changed).toHaveLength(2);
  expect(changed).toContainEqual({ key_hash: hashes[1], added: ["team:b"], removed: ["batch"] });
  const audited = { where: { organizationId: world.organizationId, action: "key.update" } };
  expect(await world.context.db.auditEvent.count(audited)).toBe(2);
});

it("changes none if a key would have too many tags, or is foreign", async () => {
  const [world, other] = [await testWorld(), await testWorld()];
  const ten = Array.from({ length: 10 }, (_, index) => `t${index}`);
  const hashes = await keysWith(world, [], ten);
  const refused = await failure(tag(world.context, { key_hashes: hashes, add: ["more"] }));
  expect(refused).toMatchObject({ status: 400, metadata: { issues: [{ path: ["add"] }] } });
  const [foreign = ""] = await keysWith(other, []);
  const unknown = await failure(tag(world.context, { key_hashes: [...hashes, foreign], remove: ["t1"] }));
  expect(unknown).toMatchObject({ status: 400, metadata: { unknown: [foreign], issues: [{ path: ["key_hashes"] }] } });
  expect(await tagsOf(world, hashes)).toEqual([[], ten]);
});

it("refuses bodies without a tag, or with one to add and remove", () => {
  const key_hashes = ["8d969eef6ecad3c29a3a629280e686cf0c3f5d5a86aff3ca12020c923adc6c92"];
  expect(BulkTagKeysBody.safeParse({ key_hashes }).success).toBe(false);
  expect(BulkTagKeysBody.safeParse({ key_hashes, add: ["a"], remove: ["a"] }).success).toBe(false);
  expect(BulkTagKeysBody.safeParse({ key_hashes: [...key_hashes, ...key_hashes], add: ["a"] }).success).toBe(false);
});
