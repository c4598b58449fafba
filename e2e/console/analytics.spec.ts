import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { createResponse } from "../../lib/gateway/contract";
import { bulkAssignKeys } from "../../lib/records/guardrails/assignments-contract";
import type { Api } from "../api-client";
import type { World } from "../world";
import { createPerson, expect, signIn, SIGNED_OUT, test } from "./console-test";

const CARD = "4242 4242 4242 4242";
const ask = (api: Api, as: string, input: string) =>
  api.send(createResponse, { body: { model: "sandbox/echo", input, max_output_tokens: 50 } }, { as });

/** Sends two successful requests and a blocked one with a guarded key, and one request with another key. */
async function makeTraffic(api: Api, world: World) {
  const guardrail = await world.guardrail({ content_filter_builtins: [{ slug: "credit-card", action: "block" }] });
  const [guarded, other] = [await world.inferenceKey(), await world.inferenceKey()];
  await api.call(bulkAssignKeys, { params: { id: guardrail.id }, body: { key_hashes: [guarded.hash] } });
  for (const input of ["Hello", "Hello again"]) expect((await ask(api, guarded.text, input)).status).toBe(200);
  expect((await ask(api, guarded.text, CARD)).status).toBe(403);
  expect((await ask(api, other.text, "Hello")).status).toBe(200);
  return { guardrail, guarded, other };
}

const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const measure = (page: Page, name: string) =>
  page.getByRole("radiogroup", { name: "Measure" }).getByRole("radio", { name });

async function groupBy(page: Page, name: string): Promise<void> {
  await page.getByRole("combobox", { name: "Group by" }).click();
  await page.getByRole("option", { name }).click();
}

test("usage is drilled down from a measure to a key's requests in the log", async ({ page, api, world }) => {
  const { guarded, other } = await makeTraffic(api, world);
  await page.goto("/");
  await page.getByRole("link", { name: "Analytics" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Analytics" })).toBeVisible();

  await page.goto(`/analytics?workspace=${world.workspaceId}&range=24h&zone=utc`);
  await expect(measure(page, "Requests")).toHaveAccessibleName(/Requests\s*4/);
  await measure(page, "Requests").check();
  await groupBy(page, "Key");
  const table = page.getByRole("table", { name: "Usage by key" });
  await expect(table.getByRole("row")).toHaveText([/Key/, new RegExp(guarded.name), new RegExp(other.name)]);
  expect(query(page)).toMatchObject({ measure: "requests", by: "key" });

  await table.getByRole("link", { name: `Show 1 blocked of ${guarded.name}` }).click();
  await expect(page).toHaveURL(/\/generations\?/);
  expect(query(page)).toMatchObject({ workspace: world.workspaceId, key_hash: guarded.hash, status: "blocked" });
  await expect(page.getByRole("main").getByText("Blocked").filter({ visible: true }).first()).toBeVisible();

  await page.goBack();
  await expect(measure(page, "Requests")).toBeChecked();
  const chart = page.getByRole("figure", { name: "Requests over time by key" });
  await chart.getByRole("button", { name: "Show table" }).click();
  const values = chart.getByRole("table").getByRole("link", { name: "3", exact: true });
  await values.click();
  await expect(page).toHaveURL(/\/generations\?/);
  expect(query(page)).toMatchObject({ key_hash: guarded.hash });
  expect(query(page)["status"]).toBeUndefined();
});

test("groups are ordered by any figure, and the page is narrowed to one of them @journey", async ({
  page,
  api,
  world,
}) => {
  const { guarded, other } = await makeTraffic(api, world);
  await page.goto(`/analytics?workspace=${world.workspaceId}&range=24h&by=key&measure=requests`);
  const usage = page.getByRole("table", { name: "Usage by key" });
  const latency = page.getByRole("table", { name: "Latency by key" });
  await expect(usage.getByRole("columnheader", { name: "Requests" })).toHaveAttribute("aria-sort", "descending");
  await expect(latency.getByRole("columnheader")).toHaveText([
    "Key",
    ...["p50", "p95", "p99"].map((percentile) => `${percentile} first token`),
    ...["p50", "p95", "p99"].map((percentile) => `${percentile} duration`),
  ]);
  await expect(latency.getByRole("row").filter({ hasText: guarded.name })).toContainText(/\d+ ms/);
  const blocked = usage.getByRole("button", { name: "Blocked" });
  await blocked.click();
  await expect(usage.getByRole("row")).toHaveText([/Key/, new RegExp(guarded.name), new RegExp(other.name)]);
  await blocked.click();
  await expect(usage.getByRole("row")).toHaveText([/Key/, new RegExp(other.name), new RegExp(guarded.name)]);
  await expect(usage.getByRole("columnheader", { name: "Blocked" })).toHaveAttribute("aria-sort", "ascending");
  await latency.getByRole("button", { name: "p95 duration" }).click();
  await expect(latency.getByRole("columnheader", { name: "p95 duration" })).toHaveAttribute("aria-sort", "descending");
  expect(query(page)).toMatchObject({ sort: "-duration_p95" });

  await usage.getByRole("link", { name: guarded.name, exact: true }).click();
  await expect(page).toHaveURL(/[?&]key_hash=/);
  await expect(measure(page, "Requests")).toHaveAccessibleName(/Requests\s*3/);
  await expect(page.getByRole("table", { name: "Usage by model" }).getByRole("row")).toHaveCount(2);
  await expect(page.getByRole("button", { name: `Key: ${guarded.name}` })).toBeVisible();
  await page.getByRole("button", { name: "Model", exact: true }).click();
  await page.getByRole("combobox", { name: "Search model" }).fill("sandbox/echo");
  await page.getByRole("option", { name: "sandbox/echo", exact: true }).click();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/[?&]model=sandbox/);
  await page.getByRole("link", { name: "Show 1 blocked of sandbox/echo" }).click();
  await expect(page).toHaveURL(/\/generations\?/);
  expect(query(page)).toMatchObject({ key_hash: guarded.hash, model: "sandbox/echo", status: "blocked" });
  await page.goBack();
  await page.getByRole("link", { name: "Show in log" }).click();
  await expect(page).toHaveURL(/\/generations\?/);
  expect(query(page)).toMatchObject({ key_hash: guarded.hash, model: "sandbox/echo" });
});

test("usage is grouped by end user and by application, and their requests are listed", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  const send = (user: string, app: string) =>
    fetch(`${api.url}/v1/responses`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key.text}`, "x-title": app },
      body: JSON.stringify({ model: "sandbox/echo", input: "Hello", max_output_tokens: 50, user }),
    });
  for (const [user, app] of [
    ["ann", "Desk, Inc."],
    ["ann", "Desk, Inc."],
    ["bob", "Shop"],
  ] as const)
    expect((await send(user, app)).status).toBe(200);

  await page.goto(`/analytics?workspace=${world.workspaceId}&range=24h&measure=requests`);
  await groupBy(page, "End user");
  const users = page.getByRole("table", { name: "Usage by end user" });
  await expect(users.getByRole("row")).toHaveText([/End user/, /ann.*\$0\.0.*2/, /bob.*\$0\.0.*1/]);
  await groupBy(page, "Application");
  const apps = page.getByRole("table", { name: "Usage by application" });
  await expect(apps.getByRole("row")).toHaveText([/Application/, /Desk, Inc\./, /Shop/]);
  await apps.getByRole("link", { name: "Desk, Inc.", exact: true }).click();
  await expect(measure(page, "Requests")).toHaveAccessibleName(/Requests\s*2/);
  await page.getByRole("link", { name: "Show 2 of sandbox/echo" }).click();
  await expect(page.getByRole("button", { name: "Application: Desk, Inc." })).toBeVisible();
  await expect(page).toHaveURL(/\/generations\?/);
});

test("a segment of the chart opens its requests", async ({ page, api, world }) => {
  const { guardrail } = await makeTraffic(api, world);
  await page.goto(`/analytics?workspace=${world.workspaceId}&range=24h&measure=blocked&by=guardrail`);
  const chart = page.getByRole("figure", { name: "Blocked over time by guardrail" });
  await chart.getByRole("application").locator(".recharts-bar-rectangle path").last().click();
  await expect(page).toHaveURL(/\/generations\?/);
  expect(query(page)).toMatchObject({ blocked_by: guardrail.id });
  await expect(page.getByRole("button", { name: `Blocked by: ${guardrail.name}` })).toBeVisible();
  await page.goBack();
  await chart.getByRole("application").focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/generations\?.*status=blocked/);
});

test("usage is compared with the previous period, and exported as CSV @journey", async ({ page, api, world }) => {
  const { other } = await makeTraffic(api, world);
  const end = new Date(Date.now() + 24 * 3_600_000).toISOString();
  const middle = new Date(Date.now() + 60_000).toISOString();
  await page.goto(`/analytics?workspace=${world.workspaceId}&from=${middle}&to=${end}&measure=requests&by=key`);
  await expect(page.getByText("No requests in this range.").first()).toBeVisible();
  await page.getByRole("switch", { name: "Compare with the previous period" }).click();
  const chart = page.getByRole("figure", { name: "Requests over time by key" });
  await expect(chart.getByRole("columnheader", { name: "Previous period, total" })).toBeAttached();

  await page.goto(`/analytics?workspace=${world.workspaceId}&by=key`);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^usage-by-key-.*\.csv$/);
  expect(await readFile(await download.path(), "utf8")).toContain(`,${other.name},${other.hash},1,1,0,0,0,`);
});

test.describe("a member", () => {
  test.use({ storageState: SIGNED_OUT });
  test("sees their own usage, by dimensions of their own", async ({ page, api, world, serverUrl }) => {
    const person = await createPerson(api);
    const own = await world.inferenceKey({ creator_user_id: person.id });
    expect((await ask(api, own.text, "Hello")).status).toBe(200);
    expect((await ask(api, (await world.inferenceKey()).text, "Hello")).status).toBe(200);
    await page.context().addCookies((await signIn(serverUrl, person)).cookies);
    await page.goto("/analytics?by=member");
    await expect(measure(page, "Requests")).toHaveAccessibleName(/Requests\s*1/);
    await page.getByRole("combobox", { name: "Group by" }).click();
    await expect(page.getByRole("option")).toHaveText(["Model", "Key", "Tag", "End user", "Application", "Preset"]);
  });
});
