import { describe, expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { createKey, createMember, createWorkspace, memberCaller } from "../../testing/factories";
import { testWorld } from "../../testing/test-context";
import * as limits from "../keys/limits-service";
import { grantsOf } from "../roles/grants";
import { CreateWorkloadIdentityBody } from "./contract";
import * as identities from "./service";

const body = CreateWorkloadIdentityBody.parse({
  name: "CI",
  issuer: "https://token.actions.example.com",
  audience: "signalbox",
  claims: { sub: "repo:acme/app" },
});

/** A member with keys:write in one workspace, and their own keys there and elsewhere. */
async function lead() {
  const world = await testWorld();
  const userId = await createMember(world);
  const workspaceId = await createWorkspace(world);
  const grants = grantsOf([
    { role: "member", permissions: null, workspace: null },
    { role: "admin", permissions: null, workspace: workspaceId },
  ]);
  const context: Context = { ...world.context, caller: memberCaller(world, userId, { grants }) };
  const own = await createKey(world, { creatorUserId: userId });
  const there = await createKey(world, { workspaceId });
  return { context, own, there };
}

describe("the admin of a workspace", () => {
  it("adds identities to its keys, and to none of their own elsewhere", async () => {
    const { context, own, there } = await lead();
    const add = (hash: string) => identities.create(context, { params: { hash }, query: {}, body });
    expect((await add(there.hash)).data).toMatchObject({ name: "CI", key_hash: there.hash });
    await expect(add(own.hash)).rejects.toMatchObject({ status: 404 });
    const list = (hash: string) => identities.list(context, { params: { hash }, query: {}, body: undefined });
    expect((await list(there.hash)).data).toHaveLength(1);
    await expect(list(own.hash)).rejects.toMatchObject({ status: 404 });
  });

  it("sets limits of its keys, and of none of their own elsewhere", async () => {
    const { context, own, there } = await lead();
    const set = (key_hash: string) =>
      limits.setLimits(context, {
        params: {},
        query: { dry_run: "false" },
        body: { keys: [{ key_hash, limit: 5, limit_reset: "daily" }] },
      });
    expect(await set(there.hash)).toMatchObject({ changed_count: 1 });
    await expect(set(own.hash)).rejects.toMatchObject({ status: 400, metadata: { unknown: [own.hash] } });
  });
});
