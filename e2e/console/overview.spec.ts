import type { Page } from "@playwright/test";
import { bulkAssignKeys } from "../../lib/records/guardrails/assignments-contract";
import { createResponse } from "../../lib/gateway/contract";
import type { Api } from "../api-client";
import type { World } from "../world";
import { attention, showItem } from "./attention";
import { expect, test } from "./console-test";

const CARD = "4242 4242 4242 4242";
const ask = (api: Api, as: string, input: string) =>
  api.send(createResponse, { body: { model: "sandbox/echo", input, max_output_tokens: 50 } }, { as });

/**
 * Creates one successful and one blocked request of a guarded key with a nearly exhausted budget, and an unguarded key.
 */
async function makeTraffic(api: Api, world: World) {
  const guardrail = await world.guardrail({
    limit_usd: 0.00001,
    reset_interval: "monthly",
    content_filter_builtins: [{ slug: "credit-card", action: "block" }],
  });
  const [guarded, bare] = [await world.inferenceKey(), await world.inferenceKey()];
  await api.call(bulkAssignKeys, { params: { id: guardrail.id }, body: { key_hashes: [guarded.hash] } });
  expect((await ask(api, guarded.text, "Hello ".repeat(20))).status).toBe(200);
  expect((await ask(api, guarded.text, CARD)).status).toBe(403);
  return { guardrail, guarded, bare };
}

const figures = (page: Page) => page.getByRole("group", { name: "Figures" });
const query = (page: Page) => new URL(page.url()).searchParams;

async function chooseRange(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Time range" }).click();
  await page.getByRole("dialog", { name: "Time range" }).getByRole("button", { name }).click();
}

test("figures link to exactly the requests they cover @journey", async ({ page, api, world }) => {
  const { guardrail, guarded } = await makeTraffic(api, world);
  await page.goto(`/?workspace=${world.workspaceId}`);
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await expect(figures(page)).toContainText("Requests2");
  await expect(figures(page)).toContainText("50.0% of requests");
  const chart = page.getByRole("figure", { name: "Outcomes over time" });
  await expect(chart.getByRole("columnheader", { name: "Blocked" })).toBeAttached();

  await page.getByRole("tab", { name: "Key" }).click();
  await expect(page.getByRole("list", { name: "Spend by key" })).toContainText(`${guarded.name}$0.0`);
  expect(query(page).get("by")).toBe("key");
  await page.reload();
  await expect(page.getByRole("tab", { name: "Key" })).toHaveAttribute("aria-selected", "true");

  await page.getByRole("link", { name: `${guardrail.name}: Payment card numbers blocked` }).click();
  await expect(page).toHaveURL(/\/generations\?/);
  expect(Object.fromEntries(query(page))).toMatchObject({
    guardrail_id: guardrail.id,
    rule: "credit-card",
    action: "block",
    workspace: world.workspaceId,
  });
  await page.goBack();
  await page.getByRole("link", { name: "Show 1 blocked" }).click();
  await expect(page).toHaveURL(/\/generations\?.*status=blocked/);
  await expect(page.getByRole("main").getByText("Blocked").filter({ visible: true }).first()).toBeVisible();
});

test("the range is kept in the URL, also a custom one", async ({ page, api, world }) => {
  await makeTraffic(api, world);
  await page.goto(`/?workspace=${world.workspaceId}`);
  await expect(page.getByText("Request outcomes per hour")).toBeVisible();
  await chooseRange(page, "Last 30 days");
  await expect(page.getByText("Request outcomes per day")).toBeVisible();
  expect(query(page).get("range")).toBe("30d");
  await page.reload();
  const range = page.getByRole("button", { name: "Time range" });
  await expect(range).toHaveText(/Last 30 days/);

  await range.click();
  const panel = page.getByRole("dialog", { name: "Time range" });
  await expect(panel.getByRole("button", { name: "Last 30 days" })).toHaveAttribute("aria-pressed", "true");
  await panel.getByRole("radio", { name: "UTC" }).click();
  expect(query(page).get("zone")).toBe("utc");
  await panel.getByLabel("From").fill("2020-01-02T00:00");
  await panel.getByLabel("To").fill("2020-01-03T00:00");
  await panel.getByRole("button", { name: "Apply" }).click();
  await expect(figures(page)).toContainText("Requests0");
  await expect(page.getByText("No rules applied in this range.")).toBeVisible();
  await expect(page.getByText("No requests in this range.").first()).toBeVisible();
  expect([query(page).get("from"), query(page).get("to")]).toEqual([
    "2020-01-02T00:00:00.000Z",
    "2020-01-03T00:00:00.000Z",
  ]);
  await expect(range).toHaveText(/Jan 2, 00:00 – Jan 3, 00:00 UTC/);
  await chooseRange(page, "Last 24 hours");
  await expect(figures(page)).toContainText("Requests2");
});

test("a chart draws only series with values, on whole numbers and one clock, and opens a bucket's requests", async ({
  page,
  api,
  world,
}) => {
  await makeTraffic(api, world);
  await page.goto(`/?workspace=${world.workspaceId}&zone=utc`);
  const chart = page.getByRole("figure", { name: "Outcomes over time" });
  const plot = chart.getByRole("application");
  await expect(plot).toBeVisible();
  await expect(plot.locator(".recharts-bar")).toHaveCount(2);
  await expect(plot.locator(".recharts-area")).toHaveCount(0);
  await expect(
    plot.locator(".recharts-yAxis-tick-labels text, .recharts-yAxis .recharts-cartesian-axis-tick-value"),
  ).toHaveText(["0", "1", "2", "3", "4"]);

  await plot.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(chart).toContainText(/\d\d:00 – \d\d:00 UTC/);

  await chart.getByRole("button", { name: "Show table" }).click();
  await expect(plot).toBeHidden();
  const table = chart.getByRole("table", { name: "Outcomes over time" });
  await expect(table.getByRole("rowheader").first()).toContainText("UTC");
  await table
    .getByRole("row")
    .filter({ has: page.getByRole("link") })
    .last()
    .getByRole("link")
    .last()
    .click();
  await expect(page).toHaveURL(/\/generations\?.*status=blocked/);
  expect(Date.parse(query(page).get("to") ?? "") - Date.parse(query(page).get("from") ?? "")).toBeLessThanOrEqual(
    3_600_000,
  );
});

test("an exhausted budget is reported with its key", async ({ page, api, world }) => {
  const { guardrail, guarded } = await makeTraffic(api, world);
  await page.goto(`/?workspace=${world.workspaceId}`);
  const budget = page.getByRole("list", { name: "Budgets closest to their limit" }).getByRole("listitem").first();
  await expect(budget.getByRole("meter", { name: guarded.name })).toHaveAttribute(
    "aria-valuetext",
    /of \$0\.00001 per month$/,
  );
  await expect(budget).toContainText(/Limit reached: paid requests are rejected\. Resets [\w ]+, 00:00/);
  const open = attention(page).getByRole("link", {
    name: `Open key: ${guarded.name} has reached its spending limit`,
  });
  await showItem(page, open);
  await expect(open).toHaveAttribute("href", `/keys/${guarded.hash}`);
  await expect(budget.getByRole("link", { name: guardrail.name })).toHaveAttribute(
    "href",
    `/guardrails/${guardrail.id}`,
  );
});

test("a budget's forecast shows when it is reached and by whom", async ({ page, api, world }) => {
  const key = await world.inferenceKey({ limit: 0.0002 });
  expect((await ask(api, key.text, "Hello")).status).toBe(200);
  await page.goto(`/?workspace=${world.workspaceId}`);
  const budget = page.getByRole("list", { name: "Budgets closest to their limit" }).getByRole("listitem").first();
  await expect(budget).toContainText(/Own limit\. On pace to reach \$0\.0002 on \w.* \d\d:\d\d, 100% from /);
});

test("a coverage gap is closed in place", async ({ page, api, world }) => {
  const { guardrail, bare } = await makeTraffic(api, world);
  await page.goto(`/?workspace=${world.workspaceId}`);
  const gaps = attention(page).getByRole("list");
  const assign = gaps.getByRole("button", { name: "Assign guardrail to these keys" });
  await showItem(page, assign);
  await expect(gaps).toContainText("1 key has no guardrail");
  await expect(gaps).toContainText(bare.name);
  await assign.click();
  const dialog = page.getByRole("dialog", { name: `Assign guardrail to “${bare.name}”` });
  await dialog.getByRole("option", { name: guardrail.name }).click();
  await dialog.getByRole("button", { name: /^Assign/ }).click();
  await expect(dialog).toBeHidden();
  await expect(gaps).not.toContainText("key has no guardrail");
});

test("a failed query shows its error and request ID, and can be retried", async ({ page, api, world }) => {
  await makeTraffic(api, world);
  await page.goto(`/?workspace=${world.workspaceId}`);
  await expect(figures(page)).toContainText("Requests2");
  await page.route("**/v1/analytics/overview?*range=7d*", (route) =>
    route.fulfill({
      status: 400,
      headers: { "x-request-id": "req-overview" },
      json: { error: { code: 400, message: "Something about the range" } },
    }),
  );
  await chooseRange(page, "Last 7 days");
  const alert = page.getByRole("main").getByRole("alert");
  await expect(alert).toContainText("Couldn’t load the overview");
  await expect(alert).toContainText("req-overview");
  await page.unroute("**/v1/analytics/overview?*range=7d*");
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(figures(page)).toContainText("Requests2");
});

test("a range rejected by the server shows an error", async ({ page }) => {
  await page.goto("/?from=yesterday&to=today");
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Couldn’t load the overview");
  await chooseRange(page, "Last 24 hours");
  await expect(figures(page)).toBeVisible();
});
