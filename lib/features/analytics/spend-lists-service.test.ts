import { beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { ListKeysQuery } from "../../records/keys/contract";
import { ListMembersQuery } from "../../records/members/contract";
import { createKey, createMember, memberCaller } from "../../testing/factories";
import { createGeneration } from "../../testing/generations";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { keysWithSpend, membersWithSpend } from "./spend-lists-service";
import { rollUp } from "./rollup-service";

const DAY_MS = 24 * 60 * 60 * 1000;
const ago = (days: number) => new Date(NOW.getTime() - days * DAY_MS);
const params = { params: {}, body: undefined };

describe("lists with the spend of a range", () => {
  let world: World;
  let ann: string;
  const keys = async (query: object, context: Context = world.context) => {
    const { data } = await keysWithSpend(context, { ...params, query: ListKeysQuery.parse(query) });
    return data.map(({ name, range_spend }) => [name, range_spend?.spend_usd, range_spend?.unpriced_requests]);
  };
  beforeAll(async () => {
    world = await testWorld();
    ann = await createMember(world, "member");
    const key = async (name: string) => (await createKey(world, { name, creatorUserId: ann })).id;
    const [recent, earlier] = [await key("recent"), await key("earlier")];
    await key("unused");
    const spend = (keyId: string, costMicroUsd: bigint, createdAt: Date, costKnown = true) =>
      createGeneration(world, { keyId, userId: ann, costMicroUsd, costKnown, createdAt });
    await spend(recent, 2_000_000n, ago(0.5));
    await spend(recent, 0n, ago(0.5), false);
    await spend(earlier, 5_000_000n, ago(20));
    await rollUp(world.context.db);
    await spend(earlier, 1_000_000n, ago(5));
    await createGeneration(world, { costMicroUsd: 3_000_000n, createdAt: ago(2) });
  });

  it("order all keys by spend, before they are split into pages", async () => {
    expect(await keys({ range: "24h", sort: "-range_spend" })).toEqual([
      ["recent", 2, 1],
      ["unused", 0, 0],
      ["earlier", 0, 0],
    ]);
    const month = { range: "30d", sort: "-range_spend", limit: "1" };
    expect(await keys(month)).toEqual([["earlier", 6, 0]]);
    expect(await keys({ ...month, offset: "1" })).toEqual([["recent", 2, 1]]);
    expect(await keys({ ...month, sort: "range_spend" })).toEqual([["unused", 0, 0]]);
    expect(await keys({ sort: "-range_spend", limit: "1" })).toEqual([["recent", 2, 1]]);
  });

  it("say nothing of spend without a range, and the same in any order", async () => {
    expect(await keys({ sort: "name" })).toEqual(
      ["earlier", "recent", "unused"].map((name) => [name, undefined, undefined]),
    );
    expect(await keys({ sort: "name", range: "7d", q: "e" })).toEqual([
      ["earlier", 1, 0],
      ["recent", 2, 1],
      ["unused", 0, 0],
    ]);
  });

  it("show members the spend of their own keys", async () => {
    const context = { ...world.context, caller: memberCaller(world, ann) };
    expect(await keys({ range: "30d", sort: "-range_spend", limit: "2" }, context)).toEqual([
      ["earlier", 6, 0],
      ["recent", 2, 1],
    ]);
  });

  it("order members by the spend of their keys", async () => {
    const members = async (query: object) => {
      const { data } = await membersWithSpend(world.context, { ...params, query: ListMembersQuery.parse(query) });
      return data.map(({ id, range_spend }) => [id, range_spend?.spend_usd]);
    };
    expect(await members({ range: "30d", sort: "-range_spend" })).toEqual([
      [ann, 8],
      [world.adminId, 3],
    ]);
    expect(await members({ range: "7d", sort: "range_spend" })).toEqual(
      expect.arrayContaining([
        [ann, 3],
        [world.adminId, 3],
      ]),
    );
    expect((await members({ range: "24h", sort: "-range_spend", limit: "1" }))[0]).toEqual([ann, 2]);
    expect((await members({ limit: "1" }))[0]?.[1]).toBeUndefined();
  });
});
