import {
  createPresetFromChatCompletions,
  createPresetFromResponses,
  getPreset,
  listPresetVersions,
} from "../../lib/records/presets/contract";
import { expect, test } from "../fixtures";
import { unique } from "../world";

test("a dry run lists stored and ignored fields with reasons, without storing anything", async ({ api, world }) => {
  const sent = {
    params: { slug: unique("dry") },
    query: { workspace_id: world.workspaceId, dry_run: "true" as const, message: "Try it" },
  };
  const body = { model: "sandbox/echo", instructions: "Be brief.", input: "hi", temperature: null, colour: "red" };
  const answer = await api.call(createPresetFromResponses, { ...sent, body });
  expect(answer).toMatchObject({
    data: {
      slug: sent.params.slug,
      designated_version: {
        version: 1,
        message: "Try it",
        system_prompt: "Be brief.",
        config: { model: "sandbox/echo" },
      },
    },
    kept: ["model", "instructions"],
    ignored: [
      { path: ["temperature"], reason: "null has nothing to store" },
      { path: ["input"], reason: "applies to a single request, not to a preset" },
      { path: ["colour"], reason: "unknown field" },
    ],
  });
  await api.refuse(getPreset, 404, { params: sent.params, query: { workspace_id: world.workspaceId } });
});

test("a dry run of a new version doesn't change the preset or its version numbers", async ({ api, world }) => {
  const sent = { params: { slug: unique("dry") }, query: { workspace_id: world.workspaceId } };
  const first = await api.call(createPresetFromResponses, { ...sent, body: {} });
  const dry = { ...sent, query: { ...sent.query, dry_run: "true" as const } };
  const messages = [{ role: "user" as const, content: "hi" }];
  const answer = await api.call(createPresetFromChatCompletions, { ...dry, body: { messages, max_tokens: 5 } });
  expect(answer).toMatchObject({
    data: { id: first.data.id, designated_version: { version: 2, config: { max_output_tokens: 5 } } },
    kept: ["max_tokens"],
  });
  await api.refuse(createPresetFromResponses, 412, { ...dry, body: {} }, { headers: { "if-match": '"7"' } });
  const { metadata } = await api.refuse(createPresetFromResponses, 400, {
    ...dry,
    body: { plugins: [{ id: "fusion", max_tool_calls: 17 }] },
  });
  expect(metadata["issues"]).toMatchObject([{ path: ["plugins", 0, "max_tool_calls"] }]);
  expect((await api.call(getPreset, sent)).data).toEqual(first.data);
  expect((await api.call(createPresetFromResponses, { ...sent, body: {} })).data.designated_version.version).toBe(2);
});

test("a dry run with an Idempotency-Key stores nothing, and the key can't be reused", async ({ api, world }) => {
  const sent = { params: { slug: unique("dry") }, query: { workspace_id: world.workspaceId }, body: {} };
  const headers = { "idempotency-key": sent.params.slug };
  const dry = { ...sent, query: { ...sent.query, dry_run: "true" as const } };
  const [first, again] = [
    await api.call(createPresetFromResponses, dry, { headers }),
    await api.call(createPresetFromResponses, dry, { headers }),
  ];
  expect(again).toEqual(first);
  await api.refuse(createPresetFromResponses, 409, sent, { headers });
  await api.refuse(getPreset, 404, { params: sent.params, query: sent.query });
});

test("a version stores its message and author", async ({ api, world }) => {
  const sent = { params: { slug: unique("msg") }, query: { workspace_id: world.workspaceId } };
  const made = await api.call(createPresetFromResponses, {
    ...sent,
    query: { ...sent.query, message: " Kürzer & klarer " },
    body: {},
  });
  expect(made.data.designated_version.message).toBe("Kürzer & klarer");
  expect(made, "only a dry run includes explanations").not.toHaveProperty("kept");
  await api.call(createPresetFromResponses, { ...sent, body: {} });
  const { data } = await api.call(listPresetVersions, { ...sent, query: { ...sent.query, sort: "-version" as const } });
  expect(data.map(({ version, message }) => [version, message])).toEqual([
    [2, null],
    [1, "Kürzer & klarer"],
  ]);
  expect(data[0]?.creator_name).toBeTruthy();
  for (const message of ["x".repeat(501), " "]) {
    const { metadata } = await api.refuse(createPresetFromResponses, 400, {
      ...sent,
      query: { ...sent.query, message },
      body: {},
    });
    expect(metadata["issues"]).toMatchObject([{ path: ["message"] }]);
  }
});
