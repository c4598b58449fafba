// npm run docs:images: takes the pictures of docs/images from a new installation filled by `npm run demo`. Adds the
// objects in the pictures: an exception, policy tests, preset labels, webhooks and revisions.
import { join } from "node:path";
import { chromium, request, type Locator, type Page } from "@playwright/test";
import { createException } from "../lib/records/exceptions/contract";
import { createPolicyTest } from "../lib/features/policy-tests/contract";
import { connect } from "../lib/demo/api";
import { createResponse } from "../lib/gateway/contract";
import { scriptArguments } from "../lib/platform/script-arguments.mjs";
import { listGuardrails, updateGuardrail } from "../lib/records/guardrails/contract";
import { bulkAssignKeys } from "../lib/records/guardrails/assignments-contract";
import { createKey, listKeys } from "../lib/records/keys/contract";
import { setPresetLabel } from "../lib/records/presets/labels-contract";
import { createWebhook } from "../lib/records/webhooks/contract";
import { browserOptions } from "./browser";

const { values } = scriptArguments("npm run docs:images --", {
  options: {
    url: { type: "string", default: "http://127.0.0.1:3000" },
    key: { type: "string", default: "" },
    email: { type: "string", default: "admin@localhost" },
    password: { type: "string", default: "" },
  },
});
const { url, key: managementKey, email, password } = values;
const api = connect(url, managementKey);

const IMAGES = join(import.meta.dirname, "../docs/images");
const HOUR_MS = 3_600_000;

/** Finds the record with a name. */
function named<T extends { name: string; id: string }>(records: readonly T[], name: string): T {
  const found = records.find((record) => record.name === name);
  if (!found) throw new Error(`${name} is missing: run npm run demo first`);
  return found;
}

const guardrails = (await api.call(listGuardrails, { query: { limit: "100" } })).data;
const keys = (await api.call(listKeys, { query: { limit: "100" } })).data;
const customerData = named(guardrails, "Customer data");
const triageBot = named(keys, "Support: triage bot");

async function prepare(): Promise<{ masked: string }> {
  const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
  const { hash: key_hash } = triageBot;
  const guardrail_id = customerData.id;
  const exceptions = [
    {
      kind: "lift_rule",
      field: "content_filter_builtins",
      rule: "phone",
      guardrail_id,
      reason: "Callback list for incident 4711",
    },
    { kind: "allow_phrase", phrase: "support@example.com", reason: "Our own address is in every template" },
    { kind: "raise_limit", raise_usd: 200, reason: "Load test on Thursday" },
  ] as const;
  for (const [index, exception] of exceptions.entries())
    await api.call(createException, { body: { ...exception, key_hash, expires_at: inHours(20 + 30 * index) } });

  const params = { id: guardrail_id };
  const filter = { field: "content_filter_builtins" } as const;
  const tests = [
    ["Email addresses are redacted", "Write to ada@example.com", { outcome: "redacted", rule: "email", ...filter }],
    ["Card numbers are blocked", "Charge 4111 1111 1111 1111", { outcome: "blocked", rule: "credit-card", ...filter }],
    ["Ordinary questions pass", "Which plan includes single sign-on?", { outcome: "allowed" }],
  ] as const;
  for (const [name, input, expected] of tests)
    await api.call(createPolicyTest, { params, body: { name, request: { model: "sandbox/echo", input }, expected } });
  await api.call(updateGuardrail, { params, body: { limit_usd: 1000, revision_message: "More seats in support" } });
  const content_filters = [
    { pattern: "\\bCUST-[0-9]{6}\\b", label: "[CUSTOMER]", action: "redact" as const },
    { pattern: "\\bCASE-[0-9]{4,8}\\b", label: "[CASE]", action: "redact" as const },
  ];
  await api.call(updateGuardrail, {
    params,
    body: { content_filters, revision_message: "Case numbers are personal data" },
  });

  for (const [label, version] of [
    ["prod", 3],
    ["canary", 4],
  ] as const)
    await api.call(setPresetLabel, { params: { slug: "support-triage", label }, body: { version } });
  for (const [path, events] of [
    ["alerts", ["budget.threshold_reached", "budget.exhausted", "blocks.spike"]],
    ["audit", ["guardrail.created", "guardrail.updated", "guardrail.deleted", "key.rotated"]],
  ] as const)
    await api.call(createWebhook, { body: { url: `https://hooks.example.com/${path}`, events: [...events] } });

  // The key gets its guardrail after the request, so that the stored content is masked but not redacted.
  const created = await api.call(createKey, { body: { name: "Support: escalations" } });
  const answer = await connect(url, created.key).send(createResponse, {
    body: {
      model: "sandbox/echo",
      instructions: "Answer in one sentence.",
      input: "Please send the contract to mara@example.com and call +1 202 555 0143.",
    },
  });
  await api.call(bulkAssignKeys, { params, body: { key_hashes: [created.data.hash] } });
  return { masked: answer.headers.get("x-generation-id") ?? "" };
}

const { masked } = await prepare();

const client = await request.newContext({ baseURL: url, extraHTTPHeaders: { origin: url } });
const signedIn = await client.post("/session", { data: { email, password } });
if (!signedIn.ok()) throw new Error(`sign-in failed: ${await signedIn.text()}`);
const browser = await chromium.launch(await browserOptions());
const context = await browser.newContext({
  baseURL: url,
  storageState: await client.storageState(),
  reducedMotion: "reduce",
});
const page = await context.newPage();

const WINDOW = { width: 1280, height: 900 };

interface Picture {
  name: string;
  path: string;
  /** Window height for a page shorter than usual. */
  height?: number;
  /** Prepares the page. Returns the part to show, unless it is the whole window. */
  show?: (page: Page) => Promise<Locator | undefined>;
}

/** Scrolls a region to the top of the window. */
const scrollTo = (name: string) => async (on: Page) => {
  await on.getByRole("region", { name, exact: true }).evaluate((region) => {
    region.scrollIntoView({ block: "start" });
    window.scrollBy(0, -72);
  });
  return undefined;
};

const pictures: readonly Picture[] = [
  { name: "console", path: `/guardrails/${customerData.id}` },
  { name: "budgets", path: "/", show: scrollTo("Budgets closest to their limit") },
  { name: "content-access", path: `/generations/${masked}` },
  { name: "coverage", path: "/coverage", height: 480 },
  { name: "exceptions", path: `/keys/${triageBot.hash}`, show: scrollTo("Exceptions") },
  {
    name: "lint",
    path: `/guardrails/${customerData.id}?tool=problems`,
    show: async (on) => {
      await on.getByRole("button", { name: "Add filter" }).click();
      await on.getByRole("textbox", { name: "Pattern" }).last().fill(".*");
      await on.getByRole("listitem").filter({ hasText: "Matches everything" }).first().waitFor();
      return undefined;
    },
  },
  { name: "policy-as-code", path: "/settings?tab=code" },
  { name: "policy-tests", path: `/guardrails/${customerData.id}?tool=tests`, show: scrollTo("Tests") },
  { name: "preset-compatibility", path: "/presets/support-triage?tab=guardrails" },
  { name: "presets", path: "/presets/support-triage?tab=versions", height: 840 },
  {
    name: "replay",
    path: `/guardrails/${customerData.id}?tool=impact`,
    show: async (on) => {
      await on.getByRole("button", { name: "Add filter" }).click();
      await on.getByRole("textbox", { name: "Pattern" }).last().fill("invoice");
      const impact = on.getByRole("region", { name: "Impact", exact: true });
      await impact.getByRole("button", { name: "Run" }).click();
      await impact.getByText(/^Across /).waitFor({ timeout: 60_000 });
      return scrollTo("Impact")(on);
    },
  },
  { name: "revisions", path: `/guardrails/${customerData.id}/history`, height: 620 },
  { name: "webhooks", path: "/settings?tab=webhooks", height: 480 },
  {
    name: "re-evaluation",
    path: `/generations/${masked}`,
    show: async (on) => {
      const card = on.getByRole("region", { name: "Re-evaluate" });
      await card.locator("summary").click();
      await card.getByRole("button", { name: "Current policy" }).click();
      await card.getByText("sandbox/echo").first().waitFor();
      return card;
    },
  },
];

for (const { name, path, height = WINDOW.height, show } of pictures) {
  await page.setViewportSize({ ...WINDOW, height });
  await page.goto(path);
  await page.waitForLoadState("networkidle");
  const part = await show?.(page);
  await page.waitForLoadState("networkidle");
  await (part ?? page).screenshot({ path: join(IMAGES, `${name}.png`), animations: "disabled" });
  process.stdout.write(`${name}.png\n`);
}
await browser.close();
await client.dispose();
