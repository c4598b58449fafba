import type { Page } from "@playwright/test";
import {
  bulkAssignKeys,
  bulkAssignMembers,
  listGuardrailKeyAssignments,
  listGuardrailMemberAssignments,
} from "../../lib/records/guardrails/assignments-contract";
import { createGuardrail } from "../../lib/records/guardrails/contract";
import { createKey } from "../../lib/records/keys/contract";
import type { Api } from "../api-client";
import { unique } from "../world";
import { createPerson, expect, test } from "./console-test";

const guardrailOf = async (api: Api, name: string) =>
  (await api.call(createGuardrail, { body: { name: unique(name) } })).data;
const keyOf = async (api: Api, name: string) => (await api.call(createKey, { body: { name: unique(name) } })).data;
const assignedTo = async (api: Api, id: string) =>
  (await api.call(listGuardrailKeyAssignments, { params: { id } })).data.map(({ key_hash }) => key_hash).sort();

async function pick(page: Page, search: string, names: readonly string[]) {
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox").fill(search);
  const found = dialog.getByRole("listbox", { name: /^(Keys|Members)$/ }).getByRole("option");
  await expect(found).toHaveCount(names.length);
  for (const name of names) await dialog.getByRole("option", { name }).click();
  return dialog;
}

test("keys are assigned with a preview of new, moved and unchanged ones, and the change is undone @journey", async ({
  page,
  api,
}) => {
  const batch = unique("batch");
  const [staging, production] = [await guardrailOf(api, "Staging"), await guardrailOf(api, "Production")];
  const [fresh, moving] = [await keyOf(api, `${batch} fresh`), await keyOf(api, `${batch} moving`)];
  await api.call(bulkAssignKeys, { params: { id: staging.id }, body: { key_hashes: [moving.hash] } });

  await page.goto(`/guardrails/${production.id}`);
  await page.getByRole("button", { name: "Assign keys…" }).click();
  const dialog = await pick(page, batch, [fresh.name, moving.name]);
  const preview = dialog.getByRole("status", { name: "Preview" });
  await expect(preview).toContainText(`1 new, 1 moved from ${staging.name}`);
  await expect(preview).toContainText(fresh.name);
  expect(await assignedTo(api, production.id), "the preview has no effect").toEqual([]);

  await dialog.getByRole("button", { name: "Assign 2 keys" }).click();
  await expect(page.getByText(`2 keys assigned to “${production.name}”`)).toBeVisible();
  await expect(page.getByRole("table", { name: "Assigned keys" })).toContainText(moving.name);
  expect(await assignedTo(api, production.id)).toEqual([fresh.hash, moving.hash].sort());

  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone", { exact: true })).toBeVisible();
  await expect(page.getByText("No keys assigned.")).toBeVisible();
  expect([await assignedTo(api, production.id), await assignedTo(api, staging.id)]).toEqual([[], [moving.hash]]);
});

test("keys are unassigned in bulk, with undo", async ({ page, api }) => {
  const guardrail = await guardrailOf(api, "Bulk");
  const keys = [await keyOf(api, "one"), await keyOf(api, "two")];
  await api.call(bulkAssignKeys, { params: { id: guardrail.id }, body: { key_hashes: keys.map(({ hash }) => hash) } });
  await page.goto(`/guardrails/${guardrail.id}`);
  const table = page.getByRole("table", { name: "Assigned keys" });
  for (const { name } of keys) await table.getByRole("row").filter({ hasText: name }).getByRole("checkbox").click();
  await page.getByRole("button", { name: "Unassign 2 keys" }).click();
  await expect(page.getByText("2 keys unassigned")).toBeVisible();
  await expect(page.getByText("No keys assigned.")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(table).toContainText(keys[0]?.name ?? "");
  expect(await assignedTo(api, guardrail.id)).toEqual(keys.map(({ hash }) => hash).sort());
});

test("a member is assigned and shown by name; an already assigned one is unchanged", async ({ page, api }) => {
  const guardrail = await guardrailOf(api, "People");
  const [there, fresh] = [await createPerson(api), await createPerson(api)];
  await api.call(bulkAssignMembers, { params: { id: guardrail.id }, body: { member_user_ids: [there.id] } });
  await page.goto(`/guardrails/${guardrail.id}`);
  await page.getByRole("tab", { name: /Members/ }).click();
  await expect(page.getByRole("table", { name: "Assigned members" })).toContainText(there.email);
  await page.getByRole("button", { name: "Assign members…" }).click();
  const dialog = page.getByRole("dialog");
  for (const { email } of [there, fresh]) await pick(page, email, [email]);
  await expect(dialog.getByRole("status", { name: "Preview" })).toContainText("1 new, 1 unchanged");
  await dialog.getByRole("button", { name: "Assign 1 member" }).click();
  await expect(page.getByRole("table", { name: "Assigned members" })).toContainText(fresh.email);
  expect((await api.call(listGuardrailMemberAssignments, { params: { id: guardrail.id } })).total_count).toBe(2);
});

test("the key list assigns the selected keys", async ({ page, api }) => {
  const batch = unique("listed");
  const guardrail = await guardrailOf(api, "Chosen");
  const keys = [await keyOf(api, `${batch} one`), await keyOf(api, `${batch} two`)];
  await page.goto(`/keys?q=${batch}`);
  const table = page.getByRole("table", { name: "API keys" });
  for (const { name } of keys) await table.getByRole("row").filter({ hasText: name }).getByRole("checkbox").click();
  await page.getByRole("button", { name: /^Assign/ }).click();
  const dialog = page.getByRole("dialog", { name: "Assign guardrail to 2 keys" });
  await dialog.getByRole("combobox", { name: "Search guardrails" }).fill(guardrail.name);
  await dialog.getByRole("option", { name: guardrail.name }).click();
  await expect(dialog.getByRole("status", { name: "Preview" })).toContainText("2 new");
  await dialog.getByRole("button", { name: "Assign 2 keys" }).click();
  await expect(page.getByText(`2 keys assigned to “${guardrail.name}”`)).toBeVisible();
  expect(await assignedTo(api, guardrail.id)).toEqual(keys.map(({ hash }) => hash).sort());
});

test("a failed assignment shows an error and keeps the selection", async ({ page, api }) => {
  const guardrail = await guardrailOf(api, "Offline");
  const key = await keyOf(api, "offline");
  await page.goto(`/guardrails/${guardrail.id}`);
  await page.getByRole("button", { name: "Assign keys…" }).click();
  const dialog = await pick(page, key.name, [key.name]);
  await expect(dialog.getByRole("status", { name: "Preview" })).toContainText("1 new");
  const path = `**/v1/guardrails/${guardrail.id}/assignments/keys?dry_run=false`;
  await page.route(path, (route) => route.abort());
  await dialog.getByRole("button", { name: "Assign 1 key" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Can't reach Signalbox");
  await page.unroute(path);
  await dialog.getByRole("button", { name: "Assign 1 key" }).click();
  await expect(dialog).toBeHidden();
  expect(await assignedTo(api, guardrail.id)).toEqual([key.hash]);
});

test("the list of keys doesn't move when the first one is chosen", async ({ page, api }) => {
  const guardrail = await guardrailOf(api, "Still");
  const key = await keyOf(api, "still");
  await page.goto(`/guardrails/${guardrail.id}`);
  await page.getByRole("button", { name: "Assign keys…" }).click();
  const dialog = page.getByRole("dialog", { name: "Assign keys" });
  const preview = dialog.getByRole("status", { name: "Preview" });
  await expect(preview).toHaveText("Choose keys to preview the changes.");
  await dialog.getByRole("combobox").fill(key.name);
  const option = dialog.getByRole("option", { name: key.name });
  await expect(dialog.getByRole("option")).toHaveCount(1);
  const before = await option.boundingBox();
  await option.click();
  await expect(preview).toContainText("1 new");
  expect(await option.boundingBox()).toEqual(before);
});
