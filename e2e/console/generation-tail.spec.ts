import { expect, test } from "./console-test";
import { ask, row, table } from "./generation-log";

test("in live mode, new matching generations appear automatically", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  const first = await ask(api, key);
  await page.goto(`/generations?key_hash=${key.hash}`);
  await expect(row(page, first)).toBeVisible();
  const toggle = page.getByRole("button", { name: "Live" });
  await toggle.click();
  await expect(toggle).toHaveAttribute("aria-pressed", "true");
  await expect(page).toHaveURL(/live=true/);

  const [second, foreign] = [await ask(api, key), await ask(api, await world.inferenceKey())];
  await expect(row(page, second)).toBeVisible();
  await expect(row(page, foreign)).toHaveCount(0);
  await expect(table(page).getByRole("link")).toHaveCount(2);

  await toggle.click();
  await expect(page).not.toHaveURL(/live=/);
});

test("while scrolled down, new rows wait behind a button", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  await Promise.all(Array.from({ length: 40 }, () => ask(api, key)));
  await page.goto(`/generations?key_hash=${key.hash}&live=true`);
  await expect(table(page)).toBeVisible();
  await page.waitForResponse((answer) => answer.url().includes("/v1/generations/tail"));
  await page.evaluate(() => window.scrollTo(0, 900));
  const someRow = table(page).getByRole("link").nth(18);
  await expect(someRow).toBeInViewport();
  // Its number changes when invisible rows are removed.
  const shown = table(page).locator(`a[href="${await someRow.getAttribute("href")}"]`);
  const place = await shown.boundingBox();

  const id = await ask(api, key);
  const button = page.getByRole("button", { name: "1 new" });
  await expect(button).toBeVisible();
  await expect(row(page, id)).toHaveCount(0);
  const moved = ((await shown.boundingBox())?.y ?? Infinity) - (place?.y ?? 0);
  expect(Math.abs(moved), "rows stay where they are").toBeLessThan(10);
  await button.click();
  await expect(row(page, id)).toBeVisible();
  await expect(button).toHaveCount(0);
});

test("live mode reports lost connections and catches up afterwards", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  await ask(api, key);
  await page.goto(`/generations?key_hash=${key.hash}&live=true`);
  await page.waitForResponse((answer) => answer.url().includes("/v1/generations/tail"));
  await page.route("**/v1/generations/tail**", (route) => route.abort());
  const id = await ask(api, key);
  await expect(page.getByRole("status").filter({ hasText: "Reconnecting" })).toBeVisible();
  await page.unroute("**/v1/generations/tail**");
  await expect(row(page, id)).toBeVisible();
});
