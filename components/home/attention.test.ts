import { expect, it } from "vitest";
import type { Usage } from "@/lib/features/analytics/usage-contract";
import type { ExportDestination, ExportRun } from "@/lib/features/exports/contract";
import type { Webhook } from "@/lib/records/webhooks/contract";
import type { AlertFiring } from "@/lib/features/alerts/contract";
import type { Budget } from "@/lib/records/budgets/contract";
import {
  budgetItems,
  coverageItems,
  databaseItems,
  exportItems,
  firingItems,
  webhookItems,
  mostSevere,
  providerItems,
  retirementItems,
  spikeItems,
  type AttentionItem,
} from "./attention";

const failedRun: ExportRun = {
  id: "1",
  started_at: "2026-01-01T00:00:00.000Z",
  duration_ms: 3,
  is_test: false,
  generations: 0,
  error: "returned 503",
  rejected: 0,
  rejection: null,
  skipped_generation_id: null,
};
const counted = { from: "2026-01-01T00:00:00.000Z", to: "2026-01-02T00:00:00.000Z", workspace: null };

const budget = (spent_usd: number, exhausted_at: string | null): Budget => ({
  guardrail_id: null,
  guardrail_name: null,
  limit_id: null,
  limit_name: null,
  workspace_id: "01980000-0000-7000-8000-000000000000",
  subject: { type: "key", id: "abc", name: "Bot" },
  limit_usd: 10,
  raised_usd: 0,
  spent_usd,
  reserved_usd: 0,
  remaining_usd: Math.max(10 - spent_usd, 0),
  reset_interval: null,
  resets_at: null,
  forecast: { exhausted_at, projected_usd: null, usd_per_hour: 0, contributors: [] },
  alerts: [],
});

it.each<[number, string | null, string[]]>([
  [7.9, null, []],
  [8, null, ["warning: Bot has used 80% of its limit"]],
  [1, "2026-01-03T00:00:00.000Z", ["warning: Bot is on pace to reach its limit"]],
  [10, null, ["danger: Bot has reached its spending limit"]],
])("a budget with $%d of $10 spent, exhausted at %s", (spent, exhausted, expected) => {
  expect(budgetItems([budget(spent, exhausted)]).map(text)).toEqual(expected);
});

const text = ({ severity, title }: AttentionItem) => `${severity}: ${title}`;

const sums = (given: Partial<Usage["previous"]>) => ({
  requests: 0,
  succeeded: 0,
  failed: 0,
  blocked: 0,
  cancelled: 0,
  spend_usd: 0,
  unpriced_requests: 0,
  tokens_prompt: 0,
  tokens_completion: 0,
  tokens_cached: 0,
  tokens_per_second: null,
  time_to_first_token: null,
  duration: null,
  ...given,
});
const group = (totals: Partial<Usage["totals"]>, previous: Partial<Usage["previous"]> = {}) => [
  { id: "acme", name: "Acme", totals: sums(totals), previous: sums(previous), series: [] },
];

it.each<[number, number, string[]]>([
  [4, 4, []],
  [5, 51, []],
  [5, 50, ["warning: Acme failed 10% of its requests"]],
  [50, 99, ["danger: Acme failed 50% of its requests"]],
])("a provider that failed %d of %d", (failed, requests, expected) => {
  expect(providerItems(group({ failed, requests }), counted).map(text)).toEqual(expected);
});

it.each<[number, number, number]>([
  [9, 0, 0],
  [10, 0, 1],
  [30, 10, 1],
  [29, 10, 0],
])("a guardrail that blocked %d, and %d before", (now, before, items) => {
  const found = spikeItems(group({ blocked: now }, { blocked: before }), counted);
  expect(found).toHaveLength(items);
  for (const { title, remedy } of found) {
    expect(title).toMatch(/^\d+ requests blocked by Acme$/);
    expect(remedy).toMatchObject({ href: expect.stringMatching(/blocked_by=acme$/) });
  }
});

it("lists firing alerts with the requests they are about", () => {
  const requests = { status: "blocked", workspace_id: "w1", key_hash: "k1", from: "2026-03-10T11:45:00.000Z" } as const;
  const firing = { alert_name: "Spike", message: "3 requests blocked in 15 minutes", requests } as AlertFiring;
  expect(firingItems([firing])).toEqual([
    {
      title: "Spike is firing",
      detail: "3 requests blocked in 15 minutes",
      severity: "danger",
      remedy: {
        href: "/generations?workspace=w1&status=blocked&key_hash=k1&from=2026-03-10T11%3A45%3A00.000Z",
        text: "Show requests",
      },
    },
  ]);
});

it("lists the limits of the embedded database that are near", () => {
  const limit = (level: "ok" | "near" | "reached", used: number) =>
    ({ name: "size_bytes", used, limit: 2e9, level }) as const;
  const items = databaseItems({
    kind: "embedded",
    limits: [limit("ok", 1e9), limit("near", 1.7e9), limit("reached", 2e9)],
  });
  expect(items.map(({ severity, title, detail }) => `${severity}: ${title}: ${detail}`)).toEqual([
    "warning: The embedded database is near its limit: database size: 1.7 GB of 2.0 GB. Move to PostgreSQL",
    "danger: The embedded database has reached its limit: database size: 2.0 GB of 2.0 GB. Move to PostgreSQL",
  ]);
});

it.each<[Partial<ExportDestination>, string[]]>([
  [{ enabled: true }, []],
  [{ enabled: false }, []],
  [{ failing_since: counted.from, last_run: failedRun }, ["warning: Export to Lake is failing: returned 503"]],
  [
    { enabled: false, failing_since: counted.from, paused_reason: "All exports failed for a day" },
    ["danger: Export to Lake is paused: All exports failed for a day"],
  ],
])("an export destination with %j", (state, expected) => {
  const destination = { id: "1", name: "Lake", paused_reason: null, failing_since: null, last_run: null, ...state };
  const items = exportItems([destination as ExportDestination]);
  expect(items.map(({ severity, title, detail }) => `${severity}: ${title}: ${detail}`)).toEqual(expected);
});

it.each<[Partial<Webhook>, string[]]>([
  [{}, []],
  [{ enabled: false }, []],
  [{ enabled: false, failing_since: counted.from }, []],
  [
    { failing_since: counted.from },
    ["warning: Webhook to hooks.example.com is failing: Failed deliveries are retried"],
  ],
  [
    { enabled: false, failing_since: counted.from, disabled_reason: "The receiver returned 410" },
    ["danger: Webhook to hooks.example.com is disabled: The receiver returned 410. Events are dropped"],
  ],
])("a webhook with %j", (state, expected) => {
  const url = "https://hooks.example.com/signalbox";
  const webhook = { id: "1", url, enabled: true, disabled_reason: null, failing_since: null, ...state };
  const items = webhookItems([webhook as Webhook]);
  expect(items.map(({ severity, title, detail }) => `${severity}: ${title}: ${detail}`)).toEqual(expected);
});

it("lists coverage gaps with their names", () => {
  const none = { data: [], total_count: 0 };
  const key = (key_name: string) => ({ key_name, key_hash: key_name, key_label: key_name });
  const items = coverageItems(
    {
      uncovered_keys: { data: ["a", "b", "c"].map(key), total_count: 5 },
      uncovered_members: none,
      unlimited_keys: none,
      unpriced_models: none,
      unassigned_guardrails: none,
      corrected_vendors: {
        data: [{ slug: "bedrock/claude", vendor: "anthropic", previous_vendor: "bedrock" }],
        total_count: 1,
      },
    } as unknown as Parameters<typeof coverageItems>[0],
    null,
  );
  expect(items).toEqual([
    {
      title: "1 model has a corrected vendor",
      detail: "bedrock/claude: anthropic",
      severity: "warning",
      remedy: { href: "/coverage?gap=keys#models", text: "Review vendors" },
    },
    {
      title: "5 keys have no guardrail",
      detail: "a, b, c and 2 more",
      severity: "warning",
      remedy: { assign: "keys" },
    },
  ]);
});

it("lists deprecated models that are still used, with the replacement and who uses them", () => {
  const model = (slug: string, retires_at: string, names: string[], total_count = names.length) => ({
    slug,
    name: slug,
    deprecated_at: null,
    retires_at,
    replacement: "new",
    used_by: { total_count, data: names.map((name) => ({ type: "key" as const, id: name, name })) },
  });
  const data = [
    model("acme/old", "2026-01-01T00:00:00.000Z", ["Bot"]),
    model("acme/older", "2026-01-03T00:00:00.000Z", ["a", "b", "c", "d"], 6),
  ];
  const items = retirementItems({ deprecated_models: { total_count: 2, data } }, "w", Date.parse(counted.to));
  expect(items).toEqual([
    {
      title: "acme/old was retired on 2026-01-01",
      detail: "Used by Bot. Replacement: new",
      severity: "danger",
      remedy: { href: "/generations?workspace=w&model=acme%2Fold&range=7d", text: "Show requests" },
    },
    {
      title: "acme/older retires on 2026-01-03",
      detail: "Used by a, b, c and 3 more. Replacement: new",
      severity: "warning",
      remedy: { href: "/generations?workspace=w&model=acme%2Folder&range=7d", text: "Show requests" },
    },
  ]);
});

it("puts the most severe first, then one of each kind in turn, and drops what is beyond a few of a kind", () => {
  const item = (severity: AttentionItem["severity"], title: string) =>
    ({ severity, title, detail: "", remedy: { assign: "keys" } }) as const;
  const warnings = (...titles: string[]) => titles.map((title) => item("warning", title));
  const kinds = [warnings("a1", "a2", "a3", "a4", "a5"), [item("danger", "first")], warnings("b1", "b2")];
  expect(mostSevere(...kinds).map(({ title }) => title)).toEqual(["first", "a1", "b1", "a2", "b2", "a3", "a4"]);
});
