import { beforeAll, expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { createKey, createMember, createWorkspace, memberCaller } from "../../testing/factories";
import { failure } from "../../testing/expect-failure";
import { createGeneration } from "../../testing/generations";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { getActivity } from "./activity-contract";
import { activity } from "./activity-service";

const DAY_MS = 24 * 60 * 60 * 1000;
const dayAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);
const dateOf = (days: number) => dayAgo(days).toISOString().slice(0, 10);
const Query = getActivity.query as NonNullable<typeof getActivity.query>;
const read = async (context: Context, query: object = {}) =>
  (await activity(context, { params: {}, query: Query.parse(query), body: undefined })).data;

let world: World;
let key: { id: string; hash: string };
let otherWorkspace: string;
let ann: string;
beforeAll(async () => {
  world = await testWorld();
  ann = await createMember(world);
  otherWorkspace = await createWorkspace(world);
  key = await createKey(world);
  const at = (days: number) => ({ keyId: key.id, createdAt: dayAgo(days) });
  await createGeneration(world, { ...at(1), costMicroUsd: 1_000_000n, tokensReasoning: 2 });
  await createGeneration(world, { ...at(1), costMicroUsd: 2_000_000n, isByok: true, workspaceId: otherWorkspace });
  await createGeneration(world, { ...at(30), userId: ann, model: "b/b" });
  for (const days of [0, 31]) await createGeneration(world, at(days));
  await createGeneration(world, { ...at(2), status: "blocked", providerSlug: null });
  await createGeneration(await testWorld(), { createdAt: dayAgo(1) });
});

it("sums the last 30 completed days by day, model and provider", async () => {
  expect(await read(world.context)).toEqual([
    {
      date: dateOf(1),
      model: "sandbox/echo",
      model_permaslug: "sandbox/echo",
      endpoint_id: "sandbox/sandbox/echo",
      provider_name: "sandbox",
      requests: 2,
      usage: 3,
      byok_usage_inference: 2,
      prompt_tokens: 6,
      completion_tokens: 10,
      reasoning_tokens: 2,
    },
    expect.objectContaining({ date: dateOf(30), model: "b/b", requests: 1 }),
  ]);
});

it("is filtered and grouped", async () => {
  expect(
    (await read(world.context, { group_by: "workspace", date: dateOf(1) })).map((item) => item.workspace_id),
  ).toEqual([otherWorkspace, world.workspaceId]);
  expect(await read(world.context, { workspace_id: otherWorkspace })).toMatchObject([{ requests: 1, usage: 2 }]);
  expect(await read(world.context, { user_id: ann })).toMatchObject([{ model: "b/b" }]);
  expect(await read(world.context, { api_key_hash: key.hash })).toHaveLength(2);
  expect(await read(world.context, { api_key_hash: "0".repeat(64) })).toEqual([]);
  expect(await read({ ...world.context, caller: memberCaller(world, ann) })).toMatchObject([{ model: "b/b" }]);
});

it.each([0, 31])("%i days ago is not a completed day of the last 30", async (days) => {
  expect(await failure(read(world.context, { date: dateOf(days) }))).toMatchObject({
    status: 400,
    metadata: { issues: [{ path: ["date"] }] },
  });
});
