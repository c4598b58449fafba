import { listAuditEvents } from "../../lib/platform/audit/contract";
import { bulkAssignKeys } from "../../lib/records/guardrails/assignments-contract";
import { getGuardrail, updateGuardrail } from "../../lib/records/guardrails/contract";
import { createResponse } from "../../lib/gateway/contract";
import { Replay, ReplayProgress, replayGuardrail } from "../../lib/features/replay/contract";
import { explainGeneration } from "../../lib/features/replay/why-contract";
import type { Api } from "../api-client";
import { expect, test } from "../fixtures";
import type { NewKey, World } from "../world";

async function ask(api: Api, { text }: NewKey, input: string): Promise<string> {
  const answer = await api.send(createResponse, { body: { model: "sandbox/echo", input } }, { as: text });
  await answer.arrayBuffer();
  return answer.headers.get("x-generation-id") ?? "";
}

/** Creates a guardrail that redacts email addresses, on a key that sent three requests. */
async function history(api: Api, world: World) {
  const [key, guardrail] = await Promise.all([
    world.inferenceKey(),
    world.guardrail({ content_filter_builtins: [{ slug: "email", action: "redact" }] }),
  ]);
  await api.call(bulkAssignKeys, { params: { id: guardrail.id }, body: { key_hashes: [key.hash] } });
  const ids: string[] = [];
  for (const input of ["Hello", "Write to ada@example.com", "Where is PROJ-1234?"])
    ids.push(await ask(api, key, input));
  return { key, guardrail, ids };
}

const PROJECTS = { content_filters: [{ pattern: "PROJ-[0-9]+", label: "[PROJECT]", action: "block" as const }] };

test("the unchanged policy gives the recorded decisions; a change is previewed before saving", async ({
  api,
  world,
}) => {
  const { guardrail, ids } = await history(api, world);
  const { data: same } = await api.call(replayGuardrail, { body: { guardrail: { id: guardrail.id } } });
  expect(same).toMatchObject({
    selected: 3,
    evaluated: 3,
    not_evaluable: 0,
    unchanged: 3,
    rows: [],
    next_cursor: null,
  });

  const { data } = await api.call(replayGuardrail, {
    body: {
      guardrail: { id: guardrail.id, ...PROJECTS, content_filter_builtins: [{ slug: "email", action: "block" }] },
    },
  });
  expect(data).toMatchObject({ unchanged: 1, newly_blocked: 2 });
  expect(data.rows.map(({ generation_id, why }) => [generation_id, why])).toEqual([
    [ids[2], `Blocked by “${guardrail.name}” ([PROJECT])`],
    [ids[1], `Blocked by “${guardrail.name}” (Email addresses)`],
  ]);
  expect((await api.call(getGuardrail, { params: { id: guardrail.id } })).data.revision).toBe(1);
});

test("a draft is replayed on keys, on part of the log, and page by page", async ({ api, world }) => {
  const { key, ids } = await history(api, world);
  const other = await world.inferenceKey();
  const guardrail = { workspace_id: world.workspaceId, ignored_models: ["sandbox/echo"] };
  expect((await api.call(replayGuardrail, { body: { guardrail, key_hashes: [other.hash] } })).data).toMatchObject({
    selected: 0,
  });
  expect((await api.call(replayGuardrail, { body: { guardrail, key_hashes: [key.hash] } })).data).toMatchObject({
    selected: 3,
    no_endpoint: 3,
  });
  expect(
    (await api.call(replayGuardrail, { body: { guardrail, selection: { filters: { q: "PROJ" } } } })).data,
  ).toMatchObject({ selected: 1, rows: [{ generation_id: ids[2] }] });
  const first = (await api.call(replayGuardrail, { body: { guardrail, limit: 2, selection: { last: 3 } } })).data;
  expect(first.rows).toHaveLength(2);
  const rest = (
    await api.call(replayGuardrail, {
      body: { guardrail, limit: 2, selection: { last: 3 }, cursor: first.next_cursor ?? "" },
    })
  ).data;
  expect(rest).toMatchObject({ selected: 1, rows: [{ generation_id: ids[0] }], next_cursor: null });
});

test("progress is streamed as events, followed by the result", async ({ api, world }) => {
  await history(api, world);
  const answer = await api.send(
    replayGuardrail,
    { body: { guardrail: { workspace_id: world.workspaceId, ...PROJECTS } } },
    { headers: { accept: "text/event-stream" } },
  );
  expect(answer.headers.get("content-type")).toContain("text/event-stream");
  const events = (await answer.text())
    .trim()
    .split("\n\n")
    // Keep-alives of a slow replay.
    .filter((event) => !event.startsWith(":"))
    .map((event) => /^event: (\w+)\ndata: (.*)$/.exec(event));
  const dataAt = (index: number) => (JSON.parse(events.at(index)?.[2] ?? "null") as { data: unknown }).data;
  expect(events.map((event) => event?.[1])).toEqual(["progress", "result"]);
  expect(ReplayProgress.parse(dataAt(0))).toMatchObject({ selected: 3, evaluated: 3 });
  expect(Replay.parse(dataAt(-1))).toMatchObject({ newly_blocked: 1 });
});

test("content access is recorded in the audit log as one event with counts", async ({ api, world }) => {
  const { guardrail } = await history(api, world);
  await api.call(replayGuardrail, { body: { guardrail: { id: guardrail.id, ...PROJECTS } } });
  const { data } = await api.call(listAuditEvents, { query: { target_id: guardrail.id, action: "guardrail.replay" } });
  expect(data).toMatchObject([{ action: "guardrail.replay", after: { selected: 3, contents_read: 3 } }]);
});

test("invalid replays are rejected on their field", async ({ api, world }) => {
  const key = await world.inferenceKey();
  const issues = async (body: unknown) => (await api.refuse(replayGuardrail, 400, { body })).metadata["issues"];
  expect(await issues({ guardrail: { content_filters: [{ pattern: "(", action: "block" }] } })).toMatchObject([
    { path: ["guardrail", "content_filters", 0, "pattern"] },
  ]);
  expect(await issues({ guardrail: {}, selection: { last: 0, nonsense: 1 } })).toMatchObject([
    { path: ["selection", "last"] },
    { path: ["selection", "nonsense"] },
  ]);
  expect(await issues({ guardrail: {}, cursor: "nonsense" })).toMatchObject([{ path: ["cursor"] }]);
  expect(
    await issues({ guardrail: { workspace_id: world.workspaceId }, key_hashes: [key.hash, "nobody"] }),
  ).toMatchObject([{ path: ["key_hashes", 1] }]);
  await api.refuse(replayGuardrail, 404, { body: { guardrail: { id: "019aa000-0000-7000-8000-000000000000" } } });
  await api.refuse(replayGuardrail, 403, { body: { guardrail: {} } }, { as: key.text });
});

test("why: a generation is re-evaluated under the original and current policy, with the revision that made the difference", async ({
  api,
  world,
}) => {
  const { guardrail, ids } = await history(api, world);
  const id = ids[2] ?? "";
  await api.call(updateGuardrail, {
    params: { id: guardrail.id },
    body: { ...PROJECTS, revision_message: "Project codes stay inside" },
  });
  const then = (await api.call(explainGeneration, { query: { id, as_of: "then" } })).data;
  expect(then).toMatchObject({
    is_same: true,
    recorded: { outcome: "allowed" },
    verdict: { outcome: "allowed" },
    layers: [{ guardrail_id: guardrail.id, revision: 1 }],
    changes: [],
  });
  const now = (await api.call(explainGeneration, { query: { id } })).data;
  expect(now).toMatchObject({
    as_of: "now",
    is_same: false,
    verdict: { outcome: "blocked", message: "Request blocked by content filter: [PROJECT]" },
    changes: [
      {
        from_revision: 1,
        to_revision: 2,
        revisions: [{ revision: 2, changed_fields: ["content_filters"], message: "Project codes stay inside" }],
      },
    ],
  });
  await api.refuse(explainGeneration, 404, { query: { id: "gen-1795294712-00000000000000000000" } });
  await api.refuse(explainGeneration, 400, { query: { id, as_of: "tomorrow" } });
});
