import { expect, test } from "./console-test";
import { ask, row, sheet, table } from "./generation-log";

test.use({ timezoneId: "Asia/Tokyo" });

const clock = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en", {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    ...options,
  });

test("rows show the clock time in the reader's zone, and in UTC if chosen", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  const id = await ask(api, key);
  await page.goto(`/generations?key_hash=${key.hash}`);
  const time = row(page, id).locator("time");
  const at = new Date((await time.getAttribute("datetime")) ?? "");
  const dated = { day: "numeric", month: "short" } as const;
  await expect(time).toHaveText(clock({ ...dated, timeZone: "Asia/Tokyo" }).format(at));
  await expect(time).toHaveAttribute("title", /(just now|minutes? ago) · /);
  await row(page, id).getByRole("link").click();
  await expect(sheet(page).locator("time").first()).toHaveText(clock({ ...dated, timeZone: "Asia/Tokyo" }).format(at));

  const from = new Date(at.getTime() - 1).toISOString();
  const to = new Date(at.getTime() + 1).toISOString();
  await page.goto(`/generations?key_hash=${key.hash}&zone=utc&from=${from}&to=${to}`);
  await expect(time).toHaveText(clock({ timeZone: "UTC" }).format(at));
});

test("the content has a quarter of a laptop's table", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  const id = await ask(api, key, { input: "What exactly happened? ".repeat(20) });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`/generations?key_hash=${key.hash}`);
  await expect(row(page, id)).toContainText("What exactly happened?");
  const [all, content] = await Promise.all([
    table(page).boundingBox(),
    table(page).getByRole("columnheader", { name: "Content" }).boundingBox(),
  ]);
  expect((content?.width ?? 0) / (all?.width ?? Infinity)).toBeGreaterThanOrEqual(0.25);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
});

test("a phone shows six requests on a screen @journey", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  const ids: string[] = [];
  for (let index = 0; index < 8; index++)
    ids.push(await ask(api, key, { input: "A prompt of some words. ".repeat(9) }));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/generations?key_hash=${key.hash}`);
  for (const id of ids.toReversed().slice(0, 6)) {
    await expect(row(page, id)).toContainText("A prompt of some words.");
    await expect(row(page, id)).toBeInViewport({ ratio: 1 });
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});
