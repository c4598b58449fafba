import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { bulkAssignKeys, bulkAssignMembers } from "../lib/records/guardrails/assignments-contract";
import { createGuardrail } from "../lib/records/guardrails/contract";
import { createKey, updateKey } from "../lib/records/keys/contract";
import { createMember } from "../lib/records/members/contract";
import { createModel } from "../lib/records/models/contract";
import { createAlert } from "../lib/features/alerts/contract";
import { createPolicyTest, updatePolicyTests } from "../lib/features/policy-tests/contract";
import { createPresetFromResponses, updatePreset } from "../lib/records/presets/contract";
import { setPresetLabel } from "../lib/records/presets/labels-contract";
import { createProvider } from "../lib/records/providers/contract";
import { createWebhook, listWebhooks } from "../lib/records/webhooks/contract";
import { createWorkspace, listWorkspaces, updateWorkspace } from "../lib/records/workspaces/contract";
import type { Api } from "./api-client";
import { ROOT } from "./server";

/** An installation's API and its management key. */
export interface Install {
  api: Api;
  key: string;
  /** Email address of the member in its policy, unique per server. */
  email: string;
}

export interface People {
  keyHash: string;
  userId: string;
}

/** Creates the key, member and webhook that a policy file refers to but doesn't create; returns their names. */
export async function createPeople({ api, email }: Install): Promise<People> {
  const { data: key } = await api.call(createKey, { body: { name: "nightly-eval" } });
  const { data: member } = await api.call(createMember, { body: { email, role: "org:member" } });
  await api.call(createWebhook, {
    body: { url: "https://pager.example/very-secret", description: "Pager", events: ["budget.exhausted"] },
  });
  return { keyHash: key.hash, userId: member.id };
}

/** A policy with every kind of object. */
export async function fillInstall({ api }: Install, { keyHash, userId }: People): Promise<void> {
  await api.call(createProvider, {
    body: {
      slug: "acme",
      name: "Acme",
      base_url: "https://api.acme.example/v1",
      api_key: "sk-very-secret-text",
      headers: { "X-Team": "also-very-secret" },
      zdr: true,
    },
  });
  await api.call(createModel, {
    body: {
      slug: "acme/large",
      context_length: 128_000,
      endpoints: [{ provider: "acme", price: { prompt: "2.50", completion: "10" } }],
    },
  });
  const workspace = (await api.call(listWorkspaces)).data.find(({ slug }) => slug === "default");
  if (!workspace) throw new Error("no default workspace");
  await api.call(createWorkspace, {
    body: { slug: "lab", name: "Lab", content_logging: false, metadata_retention_days: 90 },
  });
  const production = {
    name: "Production",
    description: "Multi\nline: with # signs",
    allowed_models: ["acme/large"],
    limit_usd: 100,
    reset_interval: "monthly" as const,
    enforce_zdr_other: true,
    content_filter_builtins: [{ slug: "email" as const, action: "redact" as const }],
    content_filters: [{ pattern: "PROJ-[0-9]{4}", label: "[TICKET]", action: "redact" as const }],
  };
  const { data: guardrail } = await api.call(createGuardrail, { body: production });
  const { data: first } = await api.call(createGuardrail, { body: { name: "Twin" } });
  const { data: second } = await api.call(createGuardrail, { body: { name: "Twin", ignored_models: ["acme/small"] } });
  await api.call(createPolicyTest, {
    params: { id: guardrail.id },
    body: {
      name: "No address leaves",
      request: { model: "acme/large", input: "ada@example.com" },
      expected: { outcome: "redacted", rule: "email" },
    },
  });
  await api.call(updatePolicyTests, { params: { id: guardrail.id }, body: { tests_required: true } });
  await api.call(updateWorkspace, { params: { id: workspace.id }, body: { default_guardrail_id: first.id } });
  const params = { slug: "support" };
  const versions = [
    { model: "acme/large", instructions: "Be brief." },
    { model: "acme/large", temperature: 0.2 },
    { model: "acme/large", instructions: "Take your time.\n\nAnd a breath." },
  ];
  for (const [index, body] of versions.entries())
    await api.call(createPresetFromResponses, { params, query: { message: `Change ${index}` }, body });
  await api.call(setPresetLabel, { params: { ...params, label: "prod" }, body: { version: 1 } });
  await api.call(setPresetLabel, { params: { ...params, label: "stable" }, body: { version: 1 } });
  await api.call(updatePreset, { params, body: { name: "Support bot", status: "disabled" } });
  await api.call(updateKey, { params: { hash: keyHash }, body: { limit: 25, limit_reset: "weekly" } });
  await api.call(bulkAssignKeys, { params: { id: second.id }, body: { key_hashes: [keyHash] } });
  await api.call(bulkAssignMembers, { params: { id: guardrail.id }, body: { member_user_ids: [userId] } });
  const [webhook] = (await api.call(listWebhooks)).data;
  await api.call(createAlert, {
    body: {
      name: "Errors in production",
      kind: "error_rate",
      threshold: 5,
      window_minutes: 30,
      workspace_id: workspace.id,
      key_hash: keyHash,
      user_id: userId,
      guardrail_id: second.id,
      provider: "acme",
      webhook_ids: webhook ? [webhook.id] : [],
      slack_url: "https://hooks.slack.com/services/very-secret",
    },
  });
  await api.call(createAlert, { body: { name: "Budgets", kind: "budget", threshold: 80, enabled: false } });
}

export const SECRETS = {
  ALERT_ERRORS_IN_PRODUCTION_SLACK_URL: "https://hooks.slack.com/services/very-secret",
  ACME_API_KEY: "sk-very-secret-text",
  ACME_X_TEAM: "also-very-secret",
};

interface Ran {
  code: number;
  out: string;
  err: string;
}

/** Runs `node lib/cli/signalbox.mjs` in a separate process and environment. */
export async function signalbox(
  { api, key }: Pick<Install, "api" | "key">,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [join(ROOT, "lib/cli/signalbox.mjs"), ...args], {
    cwd: tmpdir(),
    env: { NODE_ENV: "production", PATH, HOME, SIGNALBOX_URL: api.url, SIGNALBOX_API_KEY: key, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit") as Promise<[number]>,
  ]);
  return { code, out, err };
}

export interface Files {
  /** Writes a file and returns its path. */
  write: (name: string, content: string) => string;
  read: (path: string) => string;
}

/** Creates a temporary folder for the duration of `work`. */
export async function withFolder(work: (files: Files) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-policy-"));
  const write = (name: string, content: string) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  try {
    await work({ write, read: (path) => readFileSync(path, "utf8") });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
