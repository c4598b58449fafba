import { unique } from "../world";
import { expect, test } from "./console-test";
import { ask, row } from "./generation-log";

const range = (name: RegExp) => ({ name });

test("the log is narrowed to a relative or absolute time, which a saved view keeps", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  const id = await ask(api, key);
  await page.goto(`/generations?key_hash=${key.hash}`);
  await page.getByRole("button", range(/^Time range: Last 7 days/)).click();
  await page.getByRole("button", { name: "Last 15 minutes" }).click();
  await expect(page).toHaveURL(/range=15m/);
  await expect(row(page, id)).toBeVisible();
  await expect(page.getByText("1 generation · Last 15 minutes")).toBeVisible();

  const name = unique("Recent");
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("button", { name: "Save this view…" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("button", { name: "Save view" }).click();
  await expect(page.getByRole("dialog", { name: "Save this view" })).toBeHidden();

  await page.getByRole("button", range(/^Time range/)).click();
  const picker = page.getByRole("dialog", { name: "Time range" });
  await picker.getByRole("radio", { name: "UTC" }).click();
  await picker.getByLabel("From").fill("2020-01-01T00:00");
  await picker.getByLabel("To").fill("2020-01-02T00:00");
  await picker.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/from=2020-01-01T00:00:00.000Z/);
  await expect(page.getByRole("button", range(/^Time range: Jan 1, 00:00 – Jan 2, 00:00 UTC/))).toBeVisible();
  await expect(page.getByText("No results")).toBeVisible();

  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("list", { name: "Saved views" }).getByRole("button", { name, exact: true }).click();
  await expect(page).toHaveURL(/range=15m/);
  await expect(page).not.toHaveURL(/from=/);
  await expect(row(page, id)).toBeVisible();
});

test("the log has the last 7 days, or the range that the browser remembers, and an empty one offers more", async ({
  page,
  api,
  world,
}) => {
  const [used, unused] = [await world.inferenceKey(), await world.inferenceKey()];
  const id = await ask(api, used);
  await page.goto(`/generations?key_hash=${unused.hash}`);
  await expect(page.getByRole("heading", { name: "No results in the last 7 days" })).toBeVisible();
  await page.getByRole("button", { name: "Search the last 30 days" }).click();
  await expect(page).toHaveURL(/range=30d/);
  await expect(page.getByRole("heading", { name: "No results in the last 30 days" })).toBeVisible();

  await page.goto(`/generations?key_hash=${used.hash}`);
  await expect(page).toHaveURL(/range=30d/);
  await expect(page.getByRole("button", range(/^Time range: Last 30 days/))).toBeVisible();
  await expect(row(page, id)).toBeVisible();
});

test("a text search says why it has no histogram", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  await ask(api, key, { input: "needle" });
  await page.goto(`/generations?key_hash=${key.hash}&q=needle`);
  await expect(page.getByText(/^No histogram for text searches/)).toBeVisible();
});

test("the audit log is narrowed by the same picker", async ({ page, world }) => {
  const key = await world.inferenceKey();
  await page.goto("/audit");
  await page.getByRole("button", range(/^Time range: Any time/)).click();
  await page.getByRole("button", { name: "Last hour" }).click();
  await expect(page).toHaveURL(/range=1h/);
  await expect(page.getByRole("table", { name: "Audit log" })).toContainText(key.name);
});
