import { createAlert, testAlert } from "../../lib/features/alerts/contract";
import { createExportDestination } from "../../lib/features/exports/contract";
import { bulkAssignKeys } from "../../lib/records/guardrails/assignments-contract";
import { createGuardrail, updateGuardrail } from "../../lib/records/guardrails/contract";
import { createResponse } from "../../lib/gateway/contract";
import { createKey, updateKey } from "../../lib/records/keys/contract";
import { addGroupMembers, createGroup } from "../../lib/records/groups/contract";
import { createLimit } from "../../lib/records/limits/contract";
import { createMember } from "../../lib/records/members/contract";
import { createPresetFromResponses } from "../../lib/records/presets/contract";
import type { Api } from "../api-client";
import { unique, type World } from "../world";

const LONG_NAME = "A name as long as people make them when they put the team, the region and the purpose into it";

/** Creates a guardrail with every section filled, and two revisions. */
export async function createFullGuardrail(api: Api): Promise<string> {
  const { data } = await api.call(createGuardrail, {
    body: {
      name: unique("Production"),
      description: "Everything that production may do",
      allowed_models: ["openai/gpt-4o", "anthropic/claude-sonnet-4", `vendor/${"very-long-model-name-".repeat(5)}`],
      ignored_providers: ["azure"],
      enforce_zdr_vendor_a: true,
      enforce_zdr_other: true,
      content_filter_builtins: [
        { slug: "regex-prompt-injection", action: "flag", scan_scope: "user_only" },
        { slug: "email", action: "redact" },
        { slug: "credit-card", action: "block" },
      ],
      content_filters: [
        { pattern: "PROJ-[0-9]{4}", label: "[PROJECT]", action: "redact" },
        { pattern: `(${"secret|".repeat(30)}x)`, action: "block" },
      ],
      limit_usd: 1250.5,
      reset_interval: "monthly",
    },
  });
  await api.call(updateGuardrail, { params: { id: data.id }, body: { ignored_models: ["openai/gpt-3.5-turbo"] } });
  return data.id;
}

export async function createGuardrails(api: Api): Promise<void> {
  await api.call(createGuardrail, { body: { name: LONG_NAME } });
  await createFullGuardrail(api);
}

/** Creates keys of each kind and status; one has a guardrail. */
export async function createKeys(api: Api): Promise<void> {
  const [plain, disabled] = await Promise.all([
    api.call(createKey, {
      body: { name: unique("Support bot"), limit: 25, limit_reset: "weekly", expires_at: "2099-01-01T00:00:00.000Z" },
    }),
    api.call(createKey, { body: { name: unique(LONG_NAME) } }),
    api.call(createKey, { body: { name: unique("Deployment"), kind: "management" } }),
  ]);
  await api.call(updateKey, { params: { hash: disabled.data.hash }, body: { disabled: true } });
  await api.call(bulkAssignKeys, {
    params: { id: await createFullGuardrail(api) },
    body: { key_hashes: [plain.data.hash] },
  });
}

/** Creates a preset with two versions, and returns its slug. */
export async function createPreset(api: Api): Promise<string> {
  const params = { slug: unique("support-bot") };
  await api.call(createPresetFromResponses, { params, body: { model: "sandbox/echo" } });
  const tools = [
    {
      type: "function" as const,
      name: "look_up",
      parameters: { type: "object", properties: { id: { type: "string" } } },
    },
  ];
  await api.call(createPresetFromResponses, {
    params,
    body: { model: "sandbox/echo", temperature: 0.2, instructions: "Be brief.\nBe kind.", tools },
  });
  return params.slug;
}

/** Sends a request to `model` and returns its generation ID, whatever the outcome. */
export async function generate(api: Api, world: World, model: string): Promise<string> {
  const { text } = await world.inferenceKey();
  const body = {
    model,
    models: [model],
    instructions: "Be brief.",
    input: `Say this: ${"a long sentence, ".repeat(30)}${"x".repeat(300)}`,
  };
  const answer = await api.send(createResponse, { body }, { as: text });
  return answer.headers.get("x-generation-id") ?? "";
}

/** Sends two requests of one trace; returns its id. */
export async function generateTrace(api: Api, world: World): Promise<string> {
  const { text, hash } = await world.inferenceKey();
  const trace_id = hash.slice(0, 32);
  for (const input of ["Which city is meant?", "And when?"])
    await api.as(text).call(createResponse, { body: { model: "sandbox/echo", input, trace: { trace_id } } });
  return trace_id;
}

export async function invite(api: Api): Promise<string> {
  const { invite_url } = await api.call(createMember, {
    body: { email: `${unique("invited")}@example.com`, role: "org:member" },
  });
  return invite_url ?? "";
}

/** Creates a group with a member and a role in a workspace; returns its id. */
export async function createTeam(api: Api, world: World): Promise<string> {
  const { data } = await api.call(createGroup, {
    body: {
      name: unique("Team"),
      role: "org:analyst",
      workspace_roles: [{ workspace_id: world.workspaceId, role: "org:policy_editor" }],
    },
  });
  await api.call(addGroupMembers, { params: { id: data.id }, body: { user_ids: [(await world.member()).id] } });
  return data.id;
}

/** Creates a rule whose Slack URL doesn't respond, with a test in its history. */
export async function createTestedAlert(api: Api): Promise<void> {
  // Higher than the rate of other tests' requests, so that it doesn't fire.
  const body = { kind: "error_rate" as const, threshold: 100, slack_url: "http://127.0.0.1:9/services/T000/B000" };
  const { data } = await api.call(createAlert, { body: { ...body, name: unique("Errors") } });
  await api.call(testAlert, { params: { id: data.id } });
  await api.call(createAlert, { body: { name: LONG_NAME, kind: "provider_down", threshold: 80 } });
}

/** Creates a paused collector and a paused bucket. */
export async function createExports(api: Api): Promise<void> {
  await api.call(createExportDestination, {
    body: { name: unique("Collector"), kind: "otlp", enabled: false, otlp: { url: "http://127.0.0.1:9/v1/traces" } },
  });
  await api.call(createExportDestination, {
    body: {
      name: LONG_NAME,
      kind: "s3_jsonl",
      content: "masked",
      enabled: false,
      s3: { bucket: "llm-log", prefix: "signalbox/production/", access_key_id: "a", secret_access_key: "s" },
    },
  });
}

/** Creates a limit of spend on a tag. */
export async function createSearchLimit(api: Api): Promise<{ id: string }> {
  const body = {
    name: unique("Search team"),
    subject_type: "tag" as const,
    subject_ids: ["team:search"],
    metric: "spend" as const,
    amount: 500,
    reset_interval: "monthly" as const,
  };
  return (await api.call(createLimit, { body })).data;
}
