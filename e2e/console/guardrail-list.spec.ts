import { bulkAssignKeys } from "../../lib/records/guardrails/assignments-contract";
import { createGuardrail, getGuardrail } from "../../lib/records/guardrails/contract";
import { createKey } from "../../lib/records/keys/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { row } from "./guardrail-page";

test("search and sort are kept in the URL", async ({ page, api }) => {
  const word = unique("word");
  for (const [name, limit_usd] of [
    ["Beta", 1],
    ["alpha", 9],
    ["Gamma", 5],
  ] as const)
    await api.call(createGuardrail, { body: { name: `${name} ${word}`, limit_usd } });
  await page.goto("/guardrails");
  await page.getByRole("searchbox", { name: "Search guardrails" }).fill(word);
  const names = page.getByRole("table", { name: "Guardrails" }).getByRole("link", { name: word });
  await expect(names).toHaveText([`Gamma ${word}`, `alpha ${word}`, `Beta ${word}`]);
  await expect(page).toHaveURL(new RegExp(`q=${word}`));

  await page.getByRole("columnheader", { name: "Name" }).getByRole("button").click();
  await expect(names).toHaveText([`alpha ${word}`, `Beta ${word}`, `Gamma ${word}`]);
  await expect(page).toHaveURL(/sort=name/);
  await page.getByRole("columnheader", { name: "Budget" }).getByRole("button").click();
  await expect(names).toHaveText([`Beta ${word}`, `Gamma ${word}`, `alpha ${word}`]);
  await expect(page).toHaveURL(/limit_usd/);
  await page.reload();
  await expect(names).toHaveText([`Beta ${word}`, `Gamma ${word}`, `alpha ${word}`]);
});

test("a search without results can be cleared", async ({ page }) => {
  const word = unique("nothing");
  await page.goto(`/guardrails?q=${word}`);
  await expect(page.getByText("No results")).toBeVisible();
  await page.getByRole("button", { name: "Clear all filters" }).click();
  await expect(page.getByRole("searchbox", { name: "Search guardrails" })).toHaveValue("");
  await expect(page).toHaveURL(/\/guardrails$/);
});

test("a row shows restrictions, assignments, and whether the guardrail is unassigned", async ({ page, api }) => {
  const word = unique("row");
  const body = {
    description: `About ${word}`,
    allowed_models: ["sandbox/echo"],
    limit_usd: 4,
    reset_interval: "weekly" as const,
  };
  await api.call(createGuardrail, { body: { ...body, name: `Loose ${word}` } });
  const { data: used } = await api.call(createGuardrail, { body: { ...body, name: `Used ${word}` } });
  const { data: key } = await api.call(createKey, { body: { name: unique("Key") } });
  await api.call(bulkAssignKeys, { params: { id: used.id }, body: { key_hashes: [key.hash] } });
  await page.goto(`/guardrails?q=${word}`);
  await expect(row(page, `Loose ${word}`)).toContainText("Unassigned, not enforced");
  await expect(row(page, used.name)).toContainText("1 key");
  await expect(row(page, used.name)).not.toContainText("Unassigned");
  await expect(row(page, used.name)).toContainText("Only 1 model.");
  await expect(row(page, used.name)).toContainText("$4.00 weekly");
  await expect(row(page, used.name)).toContainText(`About ${word}`);
});

test("deleting an assigned guardrail lists the affected keys and requires typing; cancelling keeps it @journey", async ({
  page,
  api,
}) => {
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: unique("Assigned") } });
  const { data: key } = await api.call(createKey, { body: { name: unique("Key") } });
  await api.call(bulkAssignKeys, { params: { id: guardrail.id }, body: { key_hashes: [key.hash] } });
  await page.goto(`/guardrails?q=${guardrail.name}`);
  const ask = async () => {
    await page.getByRole("button", { name: `Actions for ${guardrail.name}` }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
  };
  const question = page.getByRole("alertdialog", { name: `Delete “${guardrail.name}”?` });
  await ask();
  await expect(question).toContainText("It stops protecting 1 key immediately.");
  await expect(question.getByRole("button", { name: "Delete guardrail" })).toBeDisabled();
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(row(page, guardrail.name)).toBeVisible();
  await ask();
  await question.getByRole("textbox").fill(guardrail.name);
  await question.getByRole("button", { name: "Delete guardrail" }).click();
  await expect(page.getByText(`“${guardrail.name}” deleted`)).toBeVisible();
  await expect(row(page, guardrail.name)).toHaveCount(0);
  await api.refuse(getGuardrail, 404, { params: { id: guardrail.id } });
});

test("an unassigned guardrail is deleted from its page without typing", async ({ page, api }) => {
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: unique("Loose") } });
  await page.goto(`/guardrails/${guardrail.id}`);
  await page.getByRole("button", { name: "Delete…" }).click();
  const question = page.getByRole("alertdialog", { name: `Delete “${guardrail.name}”?` });
  await expect(question).toContainText("It isn't assigned to any key or member.");
  await question.getByRole("button", { name: "Delete guardrail" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Guardrails" })).toBeVisible();
  await api.refuse(getGuardrail, 404, { params: { id: guardrail.id } });
});

test("column visibility is kept in the URL", async ({ page, api }) => {
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: unique("Columns") } });
  await page.goto(`/guardrails?q=${guardrail.name}`);
  const header = (name: string) => page.getByRole("columnheader", { name });
  await expect(header("Restricts")).toBeVisible();
  await expect(header("Created")).toHaveCount(0);
  await page.getByRole("button", { name: "Columns", exact: true }).click();
  await page.getByRole("checkbox", { name: "Restricts" }).click();
  // Hiding a column narrows the header, so the chooser moves.
  await expect(header("Restricts")).toHaveCount(0);
  await page.getByRole("checkbox", { name: "Created" }).click();
  await page.keyboard.press("Escape");
  await expect(header("Created")).toBeVisible();
  await page.reload();
  await expect(header("Created")).toBeVisible();
  await expect(header("Restricts")).toHaveCount(0);
});

test("a long limit stays in its cell, with what is spent of it", async ({ page, api }) => {
  const body = { limit_usd: 1_000_000, reset_interval: "monthly" as const };
  const { data: guardrail } = await api.call(createGuardrail, { body: { ...body, name: unique("Long limit") } });
  const { data: key } = await api.call(createKey, { body: { name: unique("Key") } });
  await api.call(bulkAssignKeys, { params: { id: guardrail.id }, body: { key_hashes: [key.hash] } });
  await page.goto(`/guardrails?q=${guardrail.name}`);
  const cell = row(page, guardrail.name).getByRole("cell").filter({ hasText: "$1,000,000.00 monthly" });
  const [outer, inner] = [await cell.boundingBox(), await cell.getByText("$0.00 spent").boundingBox()];
  expect((inner?.x ?? 0) + (inner?.width ?? 0)).toBeLessThanOrEqual((outer?.x ?? 0) + (outer?.width ?? 0));
});
