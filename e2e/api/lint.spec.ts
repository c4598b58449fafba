import { bulkAssignKeys } from "../../lib/records/guardrails/assignments-contract";
import { getGuardrail } from "../../lib/records/guardrails/contract";
import { lintGuardrail } from "../../lib/features/lint/contract";
import { updateWorkspace } from "../../lib/records/workspaces/contract";
import { expect, test } from "../fixtures";
import { unique } from "../world";

const UNKNOWN_ID = "019aa000-0000-7000-8000-000000000000";

test("a draft is linted without being stored, most severe findings first, each with field and fix", async ({
  api,
  world,
}) => {
  const model = unique("nobody/model");
  const guardrail = {
    workspace_id: world.workspaceId,
    allowed_models: ["sandbox/echo", model],
    ignored_models: ["sandbox/echo"],
    reset_interval: "daily" as const,
  };
  const { data } = await api.call(lintGuardrail, { body: { guardrail } });
  expect(data.find(({ code }) => code === "allowed_and_ignored")).toMatchObject({
    severity: "warning",
    path: ["allowed_models"],
    fix: { path: "allowed_models", value: [model] },
  });
  expect(data.find(({ code }) => code === "unknown_model")).toMatchObject({
    fix: { path: "allowed_models", value: ["sandbox/echo"] },
  });
  expect(data.find(({ code }) => code === "interval_without_limit")).toMatchObject({
    path: ["reset_interval"],
    fix: { path: "reset_interval", value: null },
  });
  const order = data.map(({ severity }) => ["error", "warning", "info"].indexOf(severity));
  expect(order).toEqual([...order].sort());
});

test("a stored guardrail is linted with unsaved changes", async ({ api, world }) => {
  const [stored, key] = await Promise.all([
    world.guardrail({ allowed_models: ["sandbox/echo"] }),
    world.inferenceKey(),
  ]);
  const codes = async (changes: object = {}) =>
    (await api.call(lintGuardrail, { body: { guardrail: { id: stored.id, ...changes } } })).data.map(
      ({ code }) => code,
    );
  expect(await codes()).toEqual(["assigned_to_nothing"]);
  await api.call(bulkAssignKeys, { params: { id: stored.id }, body: { key_hashes: [key.hash] } });
  expect(await codes()).toEqual([]);
  expect(await codes({ content_filters: [{ pattern: ".*", action: "block" }] })).toEqual([
    "pattern_matches_everything",
  ]);
  expect((await api.call(getGuardrail, { params: { id: stored.id } })).data).toEqual(stored);
});

test("findings include conflicts with the workspace default", async ({ api, world }) => {
  const house = await world.guardrail({ allowed_models: ["sandbox/reasoner"] });
  await api.call(updateWorkspace, { params: { id: world.workspaceId }, body: { default_guardrail_id: house.id } });
  const { data } = await api.call(lintGuardrail, {
    body: { guardrail: { workspace_id: world.workspaceId, allowed_models: ["sandbox/echo"] } },
  });
  expect(data).toMatchObject([
    {
      severity: "error",
      code: "empty_intersection",
      path: ["allowed_models"],
      message: expect.stringContaining(house.name),
    },
  ]);
});

test("invalid drafts are rejected on their field", async ({ api }) => {
  const refused = async (guardrail: unknown) =>
    (await api.refuse(lintGuardrail, 400, { body: { guardrail } })).metadata["issues"];
  expect(await refused({ content_filters: [{ pattern: "a(?=b)", action: "block" }] })).toMatchObject([
    { path: ["guardrail", "content_filters", 0, "pattern"], code: "invalid_regex_pattern" },
  ]);
  expect(await refused({ limit_usd: -1 })).toMatchObject([{ path: ["guardrail", "limit_usd"] }]);
  expect(await refused({ nonsense: 1 })).toMatchObject([{ path: ["guardrail", "nonsense"] }]);
  await api.refuse(lintGuardrail, 404, { body: { guardrail: { id: UNKNOWN_ID } } });
});
