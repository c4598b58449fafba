import type { z } from "zod";
import {
  createPresetFromChatCompletions,
  createPresetFromMessages,
  createPresetFromResponses,
  getPreset,
  getPresetVersion,
  listPresets,
  listPresetVersions,
  type PresetConfig,
  updatePreset,
} from "../../lib/records/presets/contract";
import { expect, test } from "../fixtures";
import { createWorld, unique } from "../world";

test("the first post creates the preset with version 1 and designates it", async ({ api, world }) => {
  const sent = { params: { slug: unique("support") }, query: { workspace_id: world.workspaceId } };
  const { data } = await api.call(createPresetFromResponses, {
    ...sent,
    body: { model: "sandbox/echo", instructions: "Be brief.", temperature: 0.2 },
  });
  expect(data).toMatchObject({
    slug: sent.params.slug,
    name: sent.params.slug,
    description: null,
    status: "active",
    status_updated_at: null,
    workspace_id: world.workspaceId,
    designated_version_id: data.designated_version.id,
    designated_version: {
      preset_id: data.id,
      version: 1,
      system_prompt: "Be brief.",
      config: { model: "sandbox/echo", temperature: 0.2 },
    },
  });
  expect((await api.call(getPreset, sent)).data).toEqual(data);
});

test("a second post creates version 2; both are listed, oldest first", async ({ api, world }) => {
  const sent = { params: { slug: unique("support") }, query: { workspace_id: world.workspaceId } };
  const first = await api.call(createPresetFromResponses, { ...sent, body: { model: "sandbox/echo" } });
  const second = await api.call(createPresetFromResponses, { ...sent, body: { model: "sandbox/reasoner" } });
  expect(second.data).toMatchObject({ id: first.data.id, designated_version: { version: 2, system_prompt: "" } });
  const versions = await api.call(listPresetVersions, sent);
  expect(versions).toMatchObject({
    data: [first.data.designated_version, second.data.designated_version],
    total_count: 2,
  });
  const one = await api.call(getPresetVersion, { ...sent, params: { ...sent.params, version: "1" } });
  expect(one.data).toEqual(first.data.designated_version);
  await api.refuse(getPresetVersion, 404, { ...sent, params: { ...sent.params, version: "3" } });
});

test("only preset fields are stored; null and other fields are silently ignored", async ({ api, world }) => {
  const kept: z.input<typeof PresetConfig> = {
    model: "sandbox/echo",
    models: ["sandbox/echo"],
    top_p: 0.9,
    max_output_tokens: 100,
    provider: { order: ["sandbox"], allow_fallbacks: false },
    reasoning: { max_tokens: 100 },
    tools: [
      { type: "function", name: "f", description: "d", parameters: { type: "object" } },
      { type: "service:web_search" },
    ],
    plugins: [{ id: "web", max_results: 3 }],
    service_tier: "flex",
  };
  const ignored = {
    input: "hello",
    stream: true,
    metadata: { a: "b" },
    user: "u",
    session_id: "s",
    unknown_field: 1,
    temperature: null,
  };
  const sent = { params: { slug: unique("kept") }, query: { workspace_id: world.workspaceId } };
  const answer = await api.send(createPresetFromResponses, { ...sent, body: { ...kept, ...ignored } });
  expect(answer.status).toBe(200);
  expect((await api.call(getPreset, sent)).data.designated_version.config).toEqual(kept);
});

test("from chat completions the system messages become the system prompt", async ({ api, world }) => {
  const sent = { params: { slug: unique("chat") }, query: { workspace_id: world.workspaceId } };
  const messages = [
    { role: "system" as const, content: "Be kind." },
    { role: "user" as const, content: "hello" },
  ];
  const { data } = await api.call(createPresetFromChatCompletions, {
    ...sent,
    body: { model: "sandbox/echo", messages, max_tokens: 5 },
  });
  expect(data.designated_version).toMatchObject({
    system_prompt: "Be kind.",
    config: { model: "sandbox/echo", max_output_tokens: 5 },
  });
});

test("from messages `system` becomes the system prompt, and settings get their stored names", async ({
  api,
  world,
}) => {
  const sent = { params: { slug: unique("messages") }, query: { workspace_id: world.workspaceId } };
  const body = {
    model: "sandbox/echo",
    max_tokens: 5,
    system: [{ type: "text" as const, text: "Be kind." }],
    messages: [{ role: "user" as const, content: "hello" }],
    thinking: { type: "enabled" as const, budget_tokens: 2048 },
    stop_sequences: ["."],
  };
  const { data, kept, ignored } = await api.call(createPresetFromMessages, {
    ...sent,
    query: { ...sent.query, dry_run: "true" },
    body,
  });
  expect(data.designated_version).toMatchObject({
    system_prompt: "Be kind.",
    config: { model: "sandbox/echo", max_output_tokens: 5, reasoning: { max_tokens: 2048 } },
  });
  expect(kept).toEqual(["model", "system", "thinking", "max_tokens"]);
  expect(ignored?.map(({ path }) => path)).toEqual([["messages"], ["stop_sequences"]]);
  expect((await api.call(createPresetFromMessages, { ...sent, body })).data.designated_version.config).toEqual(
    data.designated_version.config,
  );
});

const badSlugs = ["Upper", "a b", "a--b", "-a", "a-", "ä", "a/b", "x".repeat(129), "a_.b"];
for (const slug of badSlugs) {
  test(`the slug "${slug.slice(0, 20)}" can't be created (400) and does not exist (404)`, async ({ api }) => {
    await api.refuse(createPresetFromResponses, 400, { params: { slug }, body: { model: "sandbox/echo" } });
    await api.refuse(getPreset, 404, { params: { slug } });
  });
}

for (const shape of ["a", "a.b", "a~b", "a_b", "a-b", "1", "x".repeat(100)]) {
  test(`slugs like "${shape.slice(0, 20)}" are valid`, async ({ api, world }) => {
    const sent = { params: { slug: shape }, query: { workspace_id: world.workspaceId } };
    expect((await api.call(createPresetFromResponses, { ...sent, body: {} })).data.slug).toBe(shape);
  });
}

const refused: readonly [what: string, fields: Record<string, unknown>, path: readonly (string | number)[]][] = [
  ["a previous_response_id", { previous_response_id: "resp_1" }, ["previous_response_id"]],
  ["store: true", { store: true }, ["store"]],
  ["max_tool_calls over 30", { max_tool_calls: 31 }, ["max_tool_calls"]],
  ["an empty stop_server_tools_when", { stop_server_tools_when: [] }, ["stop_server_tools_when"]],
  ["an unknown include", { include: ["everything"] }, ["include", 0]],
  ["an unknown modality", { modalities: ["smell"] }, ["modalities", 0]],
  [
    "17 metadata pairs",
    { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, "v"])) },
    ["metadata"],
  ],
  ["a session_id of 257 characters", { session_id: "x".repeat(257) }, ["session_id"]],
  ["a user of 257 characters", { user: "x".repeat(257) }, ["user"]],
  ["an unknown service tier", { service_tier: "turbo" }, ["service_tier"]],
  ["an unknown provider preference", { provider: { colour: "red" } }, ["provider", "colour"]],
  ["an unknown route", { route: "detour" }, ["route"]],
  ["cache_control without its type", { cache_control: {} }, ["cache_control", "type"]],
  [
    "a cost_quality_tradeoff of 11",
    { plugins: [{ id: "auto-router", cost_quality_tradeoff: 11 }] },
    ["plugins", 0, "cost_quality_tradeoff"],
  ],
  [
    "nine analysis models",
    { plugins: [{ id: "fusion", analysis_models: Array(9).fill("m") }] },
    ["plugins", 0, "analysis_models"],
  ],
  ["fusion with 17 tool calls", { plugins: [{ id: "fusion", max_tool_calls: 17 }] }, ["plugins", 0, "max_tool_calls"]],
  [
    "a coding score over 1",
    { plugins: [{ id: "pareto-router", min_coding_score: 1.01 }] },
    ["plugins", 0, "min_coding_score"],
  ],
  [
    "1025 patterns",
    { plugins: [{ id: "auto-router", allowed_models: Array(1025).fill("a/*") }] },
    ["plugins", 0, "allowed_models"],
  ],
];
for (const [what, fields, path] of refused) {
  test(`${what} is rejected before anything is stored`, async ({ api, world }) => {
    const sent = { params: { slug: unique("bad") }, query: { workspace_id: world.workspaceId } };
    const { metadata } = await api.refuse(createPresetFromResponses, 400, {
      ...sent,
      body: { model: "sandbox/echo", ...fields },
    });
    expect(metadata["issues"]).toEqual(expect.arrayContaining([expect.objectContaining({ path })]));
    await api.refuse(getPreset, 404, sent);
  });
}

test("the same slug in two workspaces is two presets", async ({ api, world }) => {
  const elsewhere = await createWorld(api);
  const params = { slug: unique("twice") };
  const make = async (workspace_id: string) =>
    (await api.call(createPresetFromResponses, { params, query: { workspace_id }, body: {} })).data;
  const [here, there] = [await make(world.workspaceId), await make(elsewhere.workspaceId)];
  expect(here.id).not.toBe(there.id);
  expect(there.designated_version.version).toBe(1);
});

test("update renames, archives and designates an older version, with If-Match", async ({ api, world }) => {
  const sent = { params: { slug: unique("upd") }, query: { workspace_id: world.workspaceId } };
  for (const temperature of [0.1, 0.2]) await api.call(createPresetFromResponses, { ...sent, body: { temperature } });
  const etag = (await api.send(getPreset, sent)).headers.get("etag") ?? "";
  const changes = { name: "Support", description: "d", status: "archived" as const, designated_version: 1 };
  const { data } = await api.call(updatePreset, { ...sent, body: changes }, { headers: { "if-match": etag } });
  expect(data).toMatchObject({
    name: "Support",
    description: "d",
    status: "archived",
    designated_version: { version: 1, config: { temperature: 0.1 } },
  });
  expect(data.status_updated_at).not.toBeNull();
  await api.refuse(updatePreset, 412, { ...sent, body: { name: "Late" } }, { headers: { "if-match": etag } });
  await api.refuse(createPresetFromResponses, 412, { ...sent, body: {} }, { headers: { "if-match": etag } });
  await api.refuse(updatePreset, 400, { ...sent, body: { designated_version: 3 } });
});

test("the list shows the most recently updated first", async ({ api, world }) => {
  const query = { workspace_id: world.workspaceId };
  const slugs = [unique("one"), unique("two"), unique("three")];
  for (const slug of slugs) await api.call(createPresetFromResponses, { params: { slug }, query, body: {} });
  await api.call(createPresetFromResponses, { params: { slug: slugs[0] ?? "" }, query, body: {} });
  const { data, total_count } = await api.call(listPresets, { query });
  expect(total_count).toBe(3);
  expect(data.map(({ slug }) => slug)).toEqual([slugs[0], slugs[2], slugs[1]]);
});

test("the list is searched, sorted and filtered by status, and shows the designated version's model", async ({
  api,
  world,
}) => {
  const query = { workspace_id: world.workspaceId };
  for (const slug of ["b-bot", "a-bot", "other"])
    await api.call(createPresetFromResponses, { params: { slug }, query, body: { model: `sandbox/${slug}` } });
  await api.call(updatePreset, { params: { slug: "b-bot" }, query, body: { status: "disabled" } });
  const slugs = async (given: object) =>
    (await api.call(listPresets, { query: { ...query, ...given } })).data.map(({ slug }) => slug);
  expect(await slugs({ q: "BOT", sort: "slug" })).toEqual(["a-bot", "b-bot"]);
  expect(await slugs({ sort: "-slug", limit: "2" })).toEqual(["other", "b-bot"]);
  expect(await slugs({ status: "disabled" })).toEqual(["b-bot"]);
  expect((await slugs({ status: ["active", "disabled"] })).length).toBe(3);
  expect((await api.call(listPresets, { query: { ...query, q: "a-bot" } })).data).toMatchObject([
    { designated_version_number: 1, latest_version_number: 1, model: "sandbox/a-bot" },
  ]);
  for (const bad of [{ sort: "colour" }, { status: "lost" }, { q: "" }]) {
    const { metadata } = await api.refuse(listPresets, 400, { query: { ...query, ...bad } });
    expect(metadata["issues"]).toEqual([expect.objectContaining({ path: Object.keys(bad) })]);
  }
});
