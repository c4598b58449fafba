// npm run docs:images: takes the pictures of docs/images from a new installation filled by `npm run demo`. Adds a request whose
// stored content is masked.
import { join } from "node:path";
import { chromium, request, type Locator, type Page } from "@playwright/test";
import { connect } from "../lib/demo/api";
import { createResponse } from "../lib/gateway/contract";
import { scriptArguments } from "../lib/platform/script-arguments.mjs";
import { listGuardrails } from "../lib/records/guardrails/contract";
import { bulkAssignKeys } from "../lib/records/guardrails/assignments-contract";
import { createKey, listKeys } from "../lib/records/keys/contract";
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
  // The key gets its guardrail after the request, so that the stored content is masked but not redacted.
  const created = await api.call(createKey, { body: { name: "Support: escalations" } });
  const answer = await connect(url, created.key).send(createResponse, {
    body: {
      model: "sandbox/echo",
      instructions: "Answer in one sentence.",
      input: "Please send the contract to mara@example.com and call +1 202 555 0143.",
    },
  });
  await api.call(bulkAssignKeys, { params: { id: customerData.id }, body: { key_hashes: [created.data.hash] } });
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
  { name: "limits", path: "/budgets" },
  {
    name: "lint",
    path: `/guardrails/${customerData.id}?tool=problems`,
    show: async (on) => {
      await on.getByRole("button", { name: "Custom patterns" }).click();
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
      await on.getByRole("button", { name: "Custom patterns" }).click();
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
