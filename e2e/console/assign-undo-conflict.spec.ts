import { bulkAssignKeys, listGuardrailKeyAssignments } from "../../lib/records/guardrails/assignments-contract";
import { createGuardrail } from "../../lib/records/guardrails/contract";
import { createKey } from "../../lib/records/keys/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";

test("undo is rejected after another change and names the affected key", async ({ page, api }) => {
  const batch = unique("contested");
  const guardrail = async (name: string) => (await api.call(createGuardrail, { body: { name: unique(name) } })).data;
  const key = async (name: string) => (await api.call(createKey, { body: { name: `${batch} ${name}` } })).data;
  const [mine, theirs] = [await guardrail("Mine"), await guardrail("Theirs")];
  const [kept, taken] = [await key("kept"), await key("taken")];
  const assigned = async (id: string) =>
    (await api.call(listGuardrailKeyAssignments, { params: { id } })).data.map(({ key_hash }) => key_hash);

  await page.goto(`/guardrails/${mine.id}`);
  await page.getByRole("button", { name: "Assign keys…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Search keys" }).fill(batch);
  for (const { name } of [kept, taken]) await dialog.getByRole("option", { name }).click();
  await dialog.getByRole("button", { name: "Assign 2 keys" }).click();
  const undo = page.getByRole("button", { name: "Undo" });
  await expect(undo).toBeVisible();
  await api.call(bulkAssignKeys, { params: { id: theirs.id }, body: { key_hashes: [taken.hash] } });
  await undo.click();

  await expect(page.getByText("Can’t undo: these assignments have changed since")).toBeVisible();
  await expect(page.getByText(`${taken.name} now has “${theirs.name}”. No changes were made.`)).toBeVisible();
  expect([await assigned(mine.id), await assigned(theirs.id)]).toEqual([[kept.hash], [taken.hash]]);
});
