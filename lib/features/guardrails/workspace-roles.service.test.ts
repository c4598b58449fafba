import { beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../../platform/context";
import type { Permission } from "../../platform/permissions";
import { createKey, createMember, createWorkspace, keyCaller, memberCaller } from "../../testing/factories";
import { createGeneration } from "../../testing/generations";
import { testWorld, type World } from "../../testing/test-context";
import * as budgets from "../../records/budgets/list-service";
import * as assignments from "../../records/guardrails/assignments-service";
import { CreateGuardrailBody } from "../../records/guardrails/contract";
import * as generations from "../../records/generations/service";
import { CreateKeyBody, ListKeysQuery } from "../../records/keys/contract";
import * as keys from "../../records/keys/service";
import * as presets from "../../records/presets/service";
import { grantsOf } from "../../records/roles/grants";
import * as workspaces from "../../records/workspaces/service";
import * as guardrails from "./service";

let world: World;
let other: string;
let lead: string;
beforeAll(async () => {
  world = await testWorld();
  other = await createWorkspace(world);
  lead = await createMember(world);
});

/** The context of an operation with `byWorkspace`, called by the admin of one workspace. */
const inOther = (permission: Permission): Context => ({
  ...world.context,
  caller: memberCaller(world, lead, {
    grants: grantsOf([
      { role: "member", permissions: null, workspace: null },
      { role: "admin", permissions: null, workspace: other },
    ]),
  }),
  narrowedBy: permission,
});

const none = { params: {}, query: {} };
const page = { offset: 0, limit: 50, q: undefined, sort: undefined };

describe("the admin of a workspace", () => {
  it("sees and changes guardrails of that workspace alone", async () => {
    const body = (workspace_id: string) => CreateGuardrailBody.parse({ name: "G", workspace_id });
    const { data: foreign } = await guardrails.create(world.context, { ...none, body: body(world.workspaceId) });
    const { data: own } = await guardrails.create(inOther("guardrails:write"), { ...none, body: body(other) });
    const listed = await guardrails.list(inOther("guardrails:read"), {
      ...none,
      query: { ...page, workspace_id: "all" },
      body: undefined,
    });
    expect(listed.data.map(({ id }) => id)).toEqual([own.id]);
    const get = (id: string) =>
      guardrails.get(inOther("guardrails:read"), { params: { id }, query: {}, body: undefined });
    expect((await get(own.id)).data.id).toBe(own.id);
    await expect(get(foreign.id)).rejects.toMatchObject({ status: 404 });
    const remove = (id: string) =>
      guardrails.remove(inOther("guardrails:write"), { params: { id }, query: {}, body: undefined });
    await expect(remove(foreign.id)).rejects.toMatchObject({ status: 404 });
    const create = guardrails.create(inOther("guardrails:write"), { ...none, body: body(world.workspaceId) });
    await expect(create).rejects.toMatchObject({ status: 400 });
    const unnamed = CreateGuardrailBody.parse({ name: "G" });
    await expect(guardrails.create(inOther("guardrails:write"), { ...none, body: unnamed })).rejects.toMatchObject({
      status: 403,
      metadata: { permission: "guardrails:write" },
    });
    const listing = { ...none, query: { offset: 0, limit: 50 }, body: undefined };
    expect((await assignments.listKeys(inOther("guardrails:read"), listing)).total_count).toBe(0);
  });

  it("sees and changes inference keys of that workspace, and their own", async () => {
    const foreign = await createKey(world);
    const management = await createKey(world, { kind: "management", workspaceId: other });
    const there = await createKey(world, { workspaceId: other });
    const own = await createKey(world, { creatorUserId: lead });
    const context = inOther("keys:read");
    const { data } = await keys.list(context, { ...none, query: ListKeysQuery.parse({}), body: undefined });
    expect(data.map(({ hash }) => hash).toSorted()).toEqual([there.hash, own.hash].toSorted());
    const rename = (hash: string) =>
      keys.update(inOther("keys:write"), { params: { hash }, query: {}, body: { name: "Renamed", limit: 5 } });
    expect((await rename(there.hash)).data).toMatchObject({ name: "Renamed", limit: 5 });
    for (const { hash } of [foreign, management]) await expect(rename(hash)).rejects.toMatchObject({ status: 404 });
    // Their own key in another workspace is subject to the caps of members.
    await expect(rename(own.hash)).rejects.toMatchObject({ status: 403 });
    const body = (fields: object) => CreateKeyBody.parse({ name: "Key", ...fields });
    const created = await keys.create(inOther("keys:write"), { ...none, body: body({ workspace_id: other }) });
    expect(created.data.workspace_id).toBe(other);
    for (const fields of [{}, { kind: "management", role: "org:member" }])
      await expect(keys.create(inOther("keys:write"), { ...none, body: body(fields) })).rejects.toMatchObject({
        status: 403,
      });
    const { data: limits } = await budgets.list(inOther("budgets:read"), {
      ...none,
      query: { offset: 0, limit: 50 },
      body: undefined,
    });
    expect(limits.map(({ subject }) => subject.id)).toEqual([there.hash]);
  });

  it("reads the log of that workspace, and their own requests", async () => {
    const [foreign, there, own] = await Promise.all([
      createGeneration(world),
      createGeneration(world, { workspaceId: other }),
      createGeneration(world, { userId: lead }),
    ]);
    const context = inOther("generations:read");
    const query = { limit: 50, range: undefined } as unknown as Parameters<typeof generations.list>[1]["query"];
    const { data } = await generations.list(context, { ...none, query, body: undefined });
    expect(data.map(({ id }) => id).toSorted()).toEqual([there, own].toSorted());
    const get = (id: string) => generations.get(context, { ...none, query: { id }, body: undefined });
    expect((await get(there)).data.id).toBe(there);
    await expect(get(foreign)).rejects.toMatchObject({ status: 404 });
  });

  it("sees that workspace alone", async () => {
    const { data } = await workspaces.list(inOther("workspaces:read"), { ...none, query: page, body: undefined });
    expect(data.map(({ id }) => id)).toEqual([other]);
    const params = { id: world.workspaceId };
    const get = workspaces.get(inOther("workspaces:read"), { params, query: {}, body: undefined });
    await expect(get).rejects.toMatchObject({ status: 404 });
    const listed = presets.list(inOther("presets:read"), { ...none, query: page, body: undefined });
    expect((await listed).total_count).toBe(0);
  });
});

it("a management key for one workspace sees nothing else", async () => {
  const { id } = await createKey(world, { kind: "management" });
  const caller = {
    ...keyCaller(world, id, "management"),
    grants: grantsOf([{ role: "admin", permissions: null, workspace: other }]),
  };
  const context: Context = { ...world.context, caller };
  const { data } = await keys.list(context, { ...none, query: ListKeysQuery.parse({}), body: undefined });
  expect(new Set(data.map(({ workspace_id }) => workspace_id))).toEqual(new Set([other]));
});
