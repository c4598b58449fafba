import type { Route } from "@playwright/test";
import { getUsage } from "../../lib/features/analytics/usage-contract";
import { expect, test } from "./console-test";
import { ask, guardedKey, row } from "./generation-log";
import { layoutShift } from "./page-cost";

test("rows show prompt and answer, masked, with the searched words marked", async ({ page, api, world }) => {
  const { key } = await guardedKey(api, world, {
    content_filter_builtins: [{ slug: "email", action: "redact" }],
  });
  const id = await ask(api, key, { input: "Where do falcons nest, ada@example.com?" });
  await page.goto(`/generations?key_hash=${key.hash}`);
  await expect(row(page, id)).toContainText("Where do falcons nest, [EMAIL]?");
  await expect(row(page, id)).toContainText("You said: Where do falcons nest");
  await expect(page.getByRole("main")).not.toContainText("ada@example.com");
  await page.getByRole("searchbox", { name: "Search text or ID" }).fill("falcons");
  await expect(row(page, id).locator("mark").first()).toHaveText("falcons");
});

test("rows are 40 px high, and failures stand out with their reason", async ({ page, api, world }) => {
  const { key } = await guardedKey(api, world, { content_filters: [{ pattern: "falcon", action: "block" }] });
  const [fine, blocked] = [await ask(api, key), await ask(api, key, { input: "falcon" })];
  await page.goto(`/generations?key_hash=${key.hash}`);
  await expect(row(page, blocked)).toContainText("Request blocked by content filter");
  for (const id of [fine, blocked]) {
    const box = await row(page, id).boundingBox();
    expect(Math.round(box?.height ?? 0)).toBeLessThanOrEqual(42);
  }
});

test("previews that arrive late don't move the messages of failures", async ({ page, api, world }) => {
  const { key } = await guardedKey(api, world, { content_filters: [{ pattern: "falcon", action: "block" }] });
  const ids = await Promise.all(Array.from({ length: 8 }, () => ask(api, key, { input: "Where does a falcon nest?" })));
  const held: Route[] = [];
  await page.route("**/generations/previews?*", (route) => void held.push(route));
  // Changing relative times would count as layout shifts.
  await page.clock.setFixedTime(new Date());
  await page.goto(`/generations?key_hash=${key.hash}`);
  for (const id of ids) await expect(row(page, id)).toBeVisible();
  const before = await page.evaluate(layoutShift);
  for (const route of held) await route.continue();
  for (const id of ids) await expect(row(page, id)).toContainText("Request blocked by content filter");
  expect(await page.evaluate(layoutShift)).toEqual(before);
});

test("the histogram counts the chosen time, and dragging over it zooms", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  const id = await ask(api, key);
  await expect
    .poll(async () => (await api.call(getUsage, { query: { key_hash: key.hash } })).data.totals.requests)
    .toBe(1);
  await page.goto(`/generations?key_hash=${key.hash}&range=24h`);
  await expect(page.getByText("1 generation · Last 24 hours")).toBeVisible();
  const bars = page.getByRole("group", { name: /^Generations over time/ });
  await bars.focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Shift+ArrowLeft");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/from=.*to=/);
  await expect(row(page, id)).toBeVisible();
  await expect(page.getByText(/^1 generation · \w+ \d+, \d\d:\d\d – /)).toBeVisible();
  await expect(page.getByRole("button", { name: /^Time range: \w+ \d+, / })).toBeVisible();
});

test("a column's width is changed by keyboard, and remembered", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  const id = await ask(api, key);
  await page.setViewportSize({ width: 1440, height: 900 });
  // Late names and previews change the widths.
  await page.goto(`/generations?key_hash=${key.hash}`, { waitUntil: "networkidle" });
  await expect(row(page, id)).toContainText("You said: ");
  const handle = page.getByRole("separator", { name: "Width of Model" });
  const header = page.getByRole("columnheader", { name: "Model" });
  const before = (await header.boundingBox())?.width ?? 0;
  await handle.focus();
  for (let n = 0; n < 3; n++) await page.keyboard.press("ArrowRight");
  const width = async () => Math.round((await header.boundingBox())?.width ?? 0);
  await expect.poll(width).toBeGreaterThan(before + 20);
  const after = await width();
  await page.reload();
  await expect.poll(width).toBe(after);
});

test("the requests of a session are a thread with totals, reached from one of them", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  const session_id = `thread-${key.hash.slice(0, 12)}`;
  const first = await ask(api, key, { input: "one", session_id });
  await ask(api, key, { input: "two", session_id });
  await ask(api, key, { input: "other" });
  await page.goto(`/generations/${first}`);
  await page.getByRole("link", { name: session_id }).click();
  await expect(page).toHaveURL(`/sessions/${session_id}`);
  const thread = page.getByRole("list", { name: "Requests" });
  await expect(thread.getByRole("listitem")).toHaveCount(2);
  await expect(thread.getByRole("listitem").first()).toContainText("You said: one");
  await expect(page.getByRole("region", { name: "Totals" })).toContainText("2");
});
