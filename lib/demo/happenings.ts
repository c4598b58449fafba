import { createAlert, listAlerts } from "../features/alerts/contract";
import { createPolicyTest, listPolicyTests } from "../features/policy-tests/contract";
import { createException, listExceptions } from "../records/exceptions/contract";
import { updateGuardrail } from "../records/guardrails/contract";
import { listKeys, updateKey } from "../records/keys/contract";
import { setPresetLabel } from "../records/presets/labels-contract";
import { createWebhook, listWebhooks, testWebhook } from "../records/webhooks/contract";
import { listAll, type Api } from "./api";
import type { Organization } from "./organization";

const HOUR_MS = 3_600_000;
/** Used share of the budget that is nearly spent. */
const NEARLY = 0.95;
const NEARLY_SPENT = "Documents: invoice reader";

/** Adds what needs attention: exceptions, a budget that is nearly spent, alerts that fire, a webhook that fails. */
export async function addHappenings(api: Api, organization: Organization, now: Date): Promise<void> {
  await reviseGuardrail(api, organization);
  await grantExceptions(api, organization, now);
  await addLabels(api);
  await addAlerts(api, organization);
  await spendNearly(api);
}

const idOf = ({ guardrailIds }: Organization, name: string): string => {
  const id = guardrailIds.get(name);
  if (!id) throw new Error(`the guardrail ${name} is missing`);
  return id;
};

/** Adds policy tests and revisions. */
async function reviseGuardrail(api: Api, organization: Organization): Promise<void> {
  const params = { id: idOf(organization, "Customer data") };
  const { total_count } = await api.call(listPolicyTests, { params, query: { limit: "1" } });
  if (total_count > 0) return;
  const filter = { field: "content_filter_builtins" } as const;
  const tests = [
    ["Email addresses are redacted", "Write to ada@example.com", { outcome: "redacted", rule: "email", ...filter }],
    ["Card numbers are blocked", "Charge 4111 1111 1111 1111", { outcome: "blocked", rule: "credit-card", ...filter }],
    ["Ordinary questions pass", "Which plan includes single sign-on?", { outcome: "allowed" }],
  ] as const;
  for (const [name, input, expected] of tests)
    await api.call(createPolicyTest, { params, body: { name, request: { model: "sandbox/echo", input }, expected } });
  await api.call(updateGuardrail, { params, body: { limit_usd: 6, revision_message: "More seats in support" } });
  const content_filters = [
    { pattern: "\\bCUST-[0-9]{6}\\b", label: "[CUSTOMER]", action: "redact" as const },
    { pattern: "\\bCASE-[0-9]{4,8}\\b", label: "[CASE]", action: "redact" as const },
  ];
  await api.call(updateGuardrail, {
    params,
    body: { content_filters, revision_message: "Case numbers are personal data" },
  });
}

/** Grants exceptions, the first of which ends soon. */
async function grantExceptions(api: Api, organization: Organization, now: Date): Promise<void> {
  const key_hash = organization.keys.get("Support: triage bot")?.hash;
  if (!key_hash) return;
  const { total_count } = await api.call(listExceptions, { query: { key_hash, active: "true", limit: "1" } });
  if (total_count > 0) return;
  const guardrail_id = idOf(organization, "Customer data");
  const exceptions = [
    {
      kind: "lift_rule",
      field: "content_filter_builtins",
      rule: "phone",
      guardrail_id,
      reason: "Callback list for incident 4711",
    },
    { kind: "allow_phrase", phrase: "support@example.com", reason: "Our own address is in every template" },
    { kind: "raise_limit", raise_usd: 3, reason: "Load test on Thursday" },
  ] as const;
  for (const [index, exception] of exceptions.entries()) {
    const expires_at = new Date(now.getTime() + (1 + 48 * index) * HOUR_MS).toISOString();
    await api.call(createException, { body: { ...exception, key_hash, expires_at } });
  }
}

async function addLabels(api: Api): Promise<void> {
  for (const [label, version] of [
    ["prod", 3],
    ["canary", 4],
  ] as const)
    await api.call(setPresetLabel, { params: { slug: "support-triage", label }, body: { version } });
}

/** Adds webhooks, one of which has failed, and alerts. */
async function addAlerts(api: Api, organization: Organization): Promise<void> {
  if ((await listAll((query) => api.call(listWebhooks, { query }))).length === 0) {
    // The names of example.com lead nowhere, so that each delivery fails.
    const webhooks = [
      ["alerts", ["budget.threshold_reached", "budget.exhausted", "blocks.spike"]],
      ["audit", ["guardrail.created", "guardrail.updated", "guardrail.deleted", "key.rotated"]],
    ] as const;
    for (const [path, events] of webhooks) {
      const { data } = await api.call(createWebhook, {
        body: { url: `https://hooks.example.com/${path}`, events: [...events] },
      });
      if (path === "alerts") await api.call(testWebhook, { params: { id: data.id } });
    }
  }
  const rules = [
    { name: "Google is failing", kind: "provider_down", provider: "google", threshold: 50, window_minutes: 60 },
    {
      name: "Injection attempts",
      kind: "block_spike",
      guardrail_id: idOf(organization, "Public assistant"),
      threshold: 10,
      window_minutes: 60,
    },
    { name: "Budgets above 80 %", kind: "budget", threshold: 80 },
    { name: "Models that retire", kind: "deprecated_model", threshold: 60 },
  ] as const;
  const existing = await listAll((query) => api.call(listAlerts, { query }));
  for (const rule of rules)
    if (!existing.some(({ name }) => name === rule.name)) await api.call(createAlert, { body: rule });
}

/** Lowers a limit to a little more than what has been spent. */
async function spendNearly(api: Api): Promise<void> {
  const keys = await listAll((query) => api.call(listKeys, { query }));
  const key = keys.find(({ name }) => name === NEARLY_SPENT);
  if (!key || key.usage === 0) return;
  const limit = Math.ceil((100 * key.usage) / NEARLY) / 100;
  await api.call(updateKey, { params: { hash: key.hash }, body: { limit } });
}
