import { createResponse } from "../../lib/gateway/contract";
import { bulkAssignKeys } from "../../lib/records/guardrails/assignments-contract";
import { expect, test } from "./console-test";

test("a rotated key keeps its guardrail; the old one works during the grace period @journey", async ({
  page,
  api,
  world,
}) => {
  const [key, guardrail] = await Promise.all([world.inferenceKey(), world.guardrail()]);
  await api.call(bulkAssignKeys, { params: { id: guardrail.id }, body: { key_hashes: [key.hash] } });
  const ask = async (text: string) =>
    (await api.send(createResponse, { body: { model: "sandbox/echo", input: "Hello" } }, { as: text })).status;

  await page.goto(`/keys/${key.hash}`);
  await page.getByRole("button", { name: "Rotate…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Old key expires" }).click();
  await page.getByRole("option", { name: "In an hour" }).click();
  await dialog.getByRole("button", { name: "Rotate key" }).click();
  await expect(dialog.getByText(/The old key works until .+, \d\d:\d\d\./)).toBeVisible();
  const text = await dialog.getByRole("textbox", { name: "Key" }).inputValue();
  expect(text).not.toBe(key.text);
  expect([await ask(key.text), await ask(text)]).toEqual([200, 200]);

  await page.keyboard.press("Escape");
  await expect(dialog.getByRole("alert").filter({ hasText: "won't be shown again" })).toBeVisible();
  await dialog.getByRole("button", { name: "I have stored it" }).click();
  await expect(page).not.toHaveURL(new RegExp(key.hash));
  await expect(page.getByRole("heading", { level: 1, name: key.name })).toBeVisible();
  await expect(page.getByText("The previous key still works")).toBeVisible();
  await expect(
    page.getByRole("region", { name: "Key", exact: true }).getByRole("link", { name: guardrail.name }),
  ).toBeVisible();
});

test("without a grace period the old key stops working immediately", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  await page.goto(`/keys/${key.hash}`);
  await page.getByRole("button", { name: "Rotate…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Old key expires" }).click();
  await page.getByRole("option", { name: "Immediately" }).click();
  await dialog.getByRole("button", { name: "Rotate key" }).click();
  await expect(dialog.getByText("The old key no longer works.")).toBeVisible();
  expect(
    (await api.send(createResponse, { body: { model: "sandbox/echo", input: "Hello" } }, { as: key.text })).status,
  ).toBe(401);
});

test("a rotation that fails changes nothing", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  await page.route("**/rotate", (route) => route.abort());
  await page.goto(`/keys/${key.hash}`);
  await page.getByRole("button", { name: "Rotate…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Rotate key" }).click();
  await expect(page.getByRole("dialog").getByRole("alert").filter({ hasText: "Can't reach Signalbox" })).toBeVisible();
  expect(
    (await api.send(createResponse, { body: { model: "sandbox/echo", input: "Hello" } }, { as: key.text })).status,
  ).toBe(200);
});
