import { createKey } from "../../lib/records/keys/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { ask, guardedKey, row, table } from "./generation-log";

test("filters narrow the log, are kept in the URL, and are undone by going back @journey", async ({
  page,
  api,
  world,
}) => {
  const key = await world.inferenceKey();
  const good = await ask(api, key);
  const failed = await ask(api, key, { model: "sandbox/unavailable" });
  await page.goto(`/generations?key_hash=${key.hash}`);
  await expect(row(page, good)).toBeVisible();
  await expect(row(page, failed)).toBeVisible();

  await page.getByRole("button", { name: /^Status/ }).click();
  await page.getByRole("option", { name: "Failed" }).click();
  await page.keyboard.press("Escape");
  await expect(row(page, good)).toHaveCount(0);
  await expect(row(page, failed)).toBeVisible();
  await expect(page).toHaveURL(/status=failed/);

  await page.goBack();
  await expect(row(page, good)).toBeVisible();
  await expect(page).not.toHaveURL(/status=/);
  await page.goForward();
  await expect(row(page, good)).toHaveCount(0);
});

test("a shared URL shows the same rows, rendered on the server", async ({ page, api, world }) => {
  const { key, guardrail } = await guardedKey(api, world, {
    content_filter_builtins: [{ slug: "email", action: "redact" }],
  });
  const redacted = await ask(api, key, { input: "Write to ada@example.com" });
  const plain = await ask(api, key);
  const answers: string[] = [];
  // Only the browser reads excerpts, because each read is audited.
  const isList = (url: string) => url.includes("/v1/generations") && !url.includes("/previews");
  page.on("request", (request) => isList(request.url()) && answers.push(request.url()));
  // On a busy machine, the rows may be old enough to be read again by the time the page is hydrated.
  await page.clock.setFixedTime(new Date());
  await page.goto(`/generations?guardrail_id=${guardrail.id}&rule=email&action=redact&status=succeeded,failed`);
  await expect(row(page, redacted)).toBeVisible();
  await expect(row(page, plain)).toHaveCount(0);
  expect(answers, "the first rows are part of the HTML").toEqual([]);
});

test("text search finds a generation; an ID opens it", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  const found = await ask(api, key, { input: `the ${key.name} penguin` });
  const other = await ask(api, key, { input: "something else" });
  await page.goto("/generations");
  const search = page.getByRole("searchbox", { name: "Search text or ID" });
  await search.fill(`"${key.name} penguin"`);
  await expect(row(page, found)).toBeVisible();
  await expect(row(page, other)).toHaveCount(0);
  await expect(page).toHaveURL(/q=/);

  await search.fill(other);
  await expect(page.getByRole("dialog", { name: "Generation" }).getByText(other).first()).toBeVisible();
});

test("a filter's search finds options beyond the first ones", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  const id = await ask(api, key);
  const name = unique("Newer");
  for (let batch = 0; batch < 6; batch++)
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => api.call(createKey, { body: { name: `${name} ${batch}-${index}` } })),
    );
  await page.goto("/generations");
  await page.getByRole("button", { name: /^Key/ }).click();
  await expect(page.getByRole("option", { name: key.name })).toHaveCount(0);
  await page.getByRole("combobox", { name: "Search key" }).fill(key.name);
  await page.getByRole("option", { name: key.name }).click();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(new RegExp(`key_hash=${key.hash}`));
  await expect(row(page, id)).toBeVisible();
});

test("the model is picked from the catalogue, or added as typed", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  const good = await ask(api, key);
  const failed = await ask(api, key, { model: "sandbox/unavailable" });
  await page.goto(`/generations?key_hash=${key.hash}`);
  await page.getByRole("button", { name: "Model", exact: true }).click();
  const search = page.getByRole("combobox", { name: "Search model" });
  await search.fill("unavail");
  await page.getByRole("option", { name: "sandbox/unavailable" }).click();
  await expect(row(page, failed)).toBeVisible();
  await expect(row(page, good)).toHaveCount(0);
  await search.fill("acme/retired");
  await page.getByRole("option", { name: "Add “acme/retired” as custom value" }).click();
  await expect(page.getByRole("option", { name: "acme/retired" })).toHaveAttribute("aria-selected", "true");
  await expect(page).toHaveURL(/model=sandbox\/unavailable,acme\/retired/);
  await search.fill("typed but not added");
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/typed/);
});

test("no results differs from an empty log and offers to clear the filters", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  await ask(api, key);
  await page.goto(`/generations?key_hash=${key.hash}&min_cost=1000`);
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  await page.getByRole("button", { name: "Clear all filters" }).click();
  await expect(page).not.toHaveURL(/min_cost/);
  await expect(table(page).getByRole("row").nth(1)).toBeVisible();
});

test("an invalid filter in the URL is reported", async ({ page }) => {
  await page.goto("/generations?min_cost=a-lot");
  await expect(page.getByRole("alert").filter({ hasText: "Couldn’t load generations" })).toContainText("min_cost");
});

test("column visibility is kept in the URL and remembered", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  await ask(api, key, { session_id: "session-of-this-test" });
  await page.goto(`/generations?key_hash=${key.hash}`);
  await expect(table(page).getByRole("columnheader", { name: "Session" })).toHaveCount(0);
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("checkbox", { name: "Session" }).click();
  await page.keyboard.press("Escape");
  await expect(table(page)).toContainText("session-of-this-test");
  await expect(page).toHaveURL(/columns=.*session/);
  await page.goto(`/generations?key_hash=${key.hash}`);
  await expect(table(page)).toContainText("session-of-this-test");
});

test("the log loads more rows on scroll and renders only those in view", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  const ids: string[] = [];
  for (let batch = 0; batch < 13; batch++)
    ids.push(...(await Promise.all(Array.from({ length: 10 }, () => ask(api, key)))));
  await page.goto(`/generations?key_hash=${key.hash}`);
  await expect(table(page)).toBeVisible();
  const seen = new Set<string>();
  await expect
    .poll(
      async () => {
        const labels = await table(page)
          .getByRole("link")
          .evaluateAll((links) => links.map((link) => link.getAttribute("aria-label") ?? ""));
        for (const label of labels) seen.add(/gen-\S+/.exec(label)?.[0] ?? "");
        await page.mouse.wheel(0, 700);
        return seen.size;
      },
      { intervals: [100] },
    )
    .toBe(ids.length);
  expect([...seen].toSorted()).toEqual(ids.toSorted());
  expect(await table(page).getByRole("row").count()).toBeLessThan(80);
  await expect(page.getByText(`All ${ids.length} shown`)).toBeVisible();
});
