import { PAGE_SIZE } from "../../components/layout/page-size";
import { createGuardrail } from "../../lib/records/guardrails/contract";
import { createKey, listKeys } from "../../lib/records/keys/contract";
import { MAX_KEYS } from "../../lib/records/keys/limits-contract";
import type { Api } from "../api-client";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { rowOfKey, searchKeys } from "./key-steps";
import { expectAccessible } from "./page-checks";

/** Creates keys in the default workspace that share a unique name. */
async function createKeys(api: Api, count: number): Promise<string> {
  const name = unique("Bulk");
  const AT_ONCE = 10;
  const createEvery = async (first: number) => {
    for (let number = first; number <= count; number += AT_ONCE)
      await api.call(createKey, { body: { name: `${name} ${number}` } });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => createEvery(index + 1)));
  return name;
}

test("selected keys are assigned a guardrail after a preview, with undo", async ({ page, api }) => {
  const name = await createKeys(api, 2);
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: unique("Staging") } });
  await searchKeys(page, name);
  await page.getByRole("checkbox", { name: `Select ${name} 1` }).check();
  await page.getByRole("checkbox", { name: `Select ${name} 2` }).check();
  const bar = page.getByRole("toolbar", { name: "Selected keys" });
  await expect(bar.getByRole("status")).toHaveText("2 keys selected");
  await bar.getByRole("button", { name: "Assign guardrail…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("option", { name: guardrail.name }).click();
  await dialog.getByRole("button", { name: /^Assign 2 keys/ }).click();
  await expect(rowOfKey(page, `${name} 1`).getByRole("link", { name: guardrail.name })).toBeVisible();
  await expect(rowOfKey(page, `${name} 2`).getByRole("link", { name: guardrail.name })).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(rowOfKey(page, `${name} 2`).getByRole("link", { name: guardrail.name })).toHaveCount(0);
});

test("all matching keys beyond the page are selected and assigned a guardrail", async ({ page, api }) => {
  const name = await createKeys(api, PAGE_SIZE + 2);
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: unique("Everywhere") } });
  await searchKeys(page, name);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  const bar = page.getByRole("toolbar", { name: "Selected keys" });
  await expect(bar.getByRole("status")).toHaveText(`${PAGE_SIZE} keys selected`);
  await bar.getByRole("button", { name: `Select all ${PAGE_SIZE + 2} that match` }).click();
  await expect(bar.getByRole("status")).toHaveText(`${PAGE_SIZE + 2} keys selected`);
  await bar.getByRole("button", { name: "Assign guardrail…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("option", { name: guardrail.name }).click();
  await dialog.getByRole("button", { name: `Assign ${PAGE_SIZE + 2} keys` }).click();
  await expect(rowOfKey(page, `${name} 1`).first().getByRole("link", { name: guardrail.name })).toBeVisible();
  const { data } = await api.call(listKeys, { query: { q: name, limit: "100" } });
  expect(data.map(({ guardrail_id }) => guardrail_id)).toEqual(Array<string>(PAGE_SIZE + 2).fill(guardrail.id));
});

test("more keys than one request takes are tagged in steps", async ({ page, api }) => {
  const total = MAX_KEYS + 5;
  const name = await createKeys(api, total);
  const tag = unique("team");
  await searchKeys(page, name);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  const bar = page.getByRole("toolbar", { name: "Selected keys" });
  await bar.getByRole("button", { name: "Select all 1,005 that match" }).click();
  await expect(bar.getByRole("status")).toHaveText("1,005 keys selected");
  await bar.getByRole("button", { name: "Edit tags…" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit tags of 1,005 keys" });
  await dialog.getByRole("combobox", { name: "Add" }).fill(tag);
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Change tags of 1,005 keys" }).click();
  await expect(dialog).toBeHidden();
  expect((await api.call(listKeys, { query: { tag, limit: "1" } })).total_count).toBe(total);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(async () => (await api.call(listKeys, { query: { tag, limit: "1" } })).total_count).toBe(0);
});

test("tags are added to all selected keys and removed from them, with undo", async ({ page, api }) => {
  const name = await createKeys(api, PAGE_SIZE + 2);
  const tag = unique("team");
  const tagged = async () => (await api.call(listKeys, { query: { tag, limit: "100" } })).total_count;
  await searchKeys(page, name);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  const bar = page.getByRole("toolbar", { name: "Selected keys" });
  await bar.getByRole("button", { name: `Select all ${PAGE_SIZE + 2} that match` }).click();
  await expect(bar.getByRole("status")).toHaveText(`${PAGE_SIZE + 2} keys selected`);
  await bar.getByRole("button", { name: "Edit tags…" }).click();
  const dialog = page.getByRole("dialog", { name: `Edit tags of ${PAGE_SIZE + 2} keys` });
  await dialog.getByRole("combobox", { name: "Add" }).fill(tag);
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("status", { name: "Preview" })).toHaveText(`${PAGE_SIZE + 2} keys change`);
  await expectAccessible(page, "tags of keys");
  await dialog.getByRole("button", { name: `Change tags of ${PAGE_SIZE + 2} keys` }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(tagged).toBe(PAGE_SIZE + 2);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(tagged).toBe(0);
});

test("a dialog requested offline opens once online", async ({ page, api, context }) => {
  const name = await createKeys(api, 1);
  await searchKeys(page, name);
  await page.getByRole("checkbox", { name: `Select ${name} 1` }).check();
  const failed: string[] = [];
  page.on("requestfailed", (request) => failed.push(request.url()));
  await context.setOffline(true);
  await page.getByRole("toolbar", { name: "Selected keys" }).getByRole("button", { name: "Set limit…" }).click();
  await expect(page.getByText("You are offline")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "API keys" })).toBeVisible();
  // The build's loader retries each script once.
  const isGivenUp = (url: string) => url.endsWith(".js") && failed.filter((one) => one === url).length === 2;
  await expect.poll(() => failed.some(isGivenUp)).toBe(true);
  await context.setOffline(false);
  await expect(page.getByRole("dialog")).toContainText("limit");
});

test("selected keys are disabled, re-enabled by undo, and deleted after typing their number", async ({ page, api }) => {
  const name = await createKeys(api, 3);
  await searchKeys(page, name);
  await page.getByRole("checkbox", { name: `Select ${name} 1` }).check();
  await page.getByRole("checkbox", { name: `Select ${name} 2` }).check();
  const bar = page.getByRole("toolbar", { name: "Selected keys" });
  await bar.getByRole("button", { name: "Disable" }).click();
  await expect(rowOfKey(page, `${name} 1`)).toContainText("Disabled");
  await expect(rowOfKey(page, `${name} 3`)).toContainText("Active");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(rowOfKey(page, `${name} 1`)).toContainText("Active");

  await bar.getByRole("button", { name: "Delete…" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Delete 2 keys?" });
  await expect(dialog.getByRole("listitem")).toHaveCount(2);
  await dialog.getByRole("textbox").fill("delete 2 keys");
  await dialog.getByRole("button", { name: "Delete 2 keys" }).click();
  await expect(page.getByText("2 keys deleted")).toBeVisible();
  await expect(rowOfKey(page, `${name} 1`)).toHaveCount(0);
  expect((await api.call(listKeys, { query: { q: name } })).data.map((key) => key.name)).toEqual([`${name} 3`]);
});

test("filters narrow the list, are kept in the URL and survive a reload", async ({ page, api, world }) => {
  const guardrail = await world.guardrail();
  const [held, free] = await Promise.all([world.inferenceKey({ guardrail_id: guardrail.id }), world.inferenceKey()]);
  const scope = `/keys?workspace=${world.workspaceId}`;
  await page.goto(`${scope}&guardrail=${guardrail.id}`);
  await expect(rowOfKey(page, held.name)).toBeVisible();
  await expect(rowOfKey(page, free.name)).toHaveCount(0);
  await page.goto(`${scope}&guardrail=none`);
  await expect(rowOfKey(page, free.name)).toBeVisible();
  await expect(rowOfKey(page, held.name)).toHaveCount(0);
  await page.goto(`${scope}&sort=-name`);
  const names = page.getByRole("table", { name: "API keys" }).getByRole("link", { name: /^Key-/ });
  await expect(names).toHaveText([held.name, free.name].toSorted().toReversed());
  await page.getByRole("searchbox", { name: "Search keys" }).fill(free.name);
  await expect(rowOfKey(page, held.name)).toHaveCount(0);
  await page.reload();
  await expect(rowOfKey(page, free.name)).toBeVisible();
  await expect(rowOfKey(page, held.name)).toHaveCount(0);
  await page.goto(`${scope}&q=nothing-is-called-so`);
  await expect(page.getByText("No results")).toBeVisible();
  expect((await api.call(listKeys, { query: { workspace_id: world.workspaceId } })).total_count).toBe(2);
});
