import { createResponse } from "../../lib/gateway/contract";
import { createLimit } from "../../lib/records/limits/contract";
import { createKey } from "../../lib/records/keys/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { expectAccessible } from "./page-checks";

test("a limit is created, explained, shown with what is left, changed and deleted", async ({ page, api, world }) => {
  const [name, tag] = [unique("Search team"), unique("team:search")];
  await page.goto("/budgets");
  await page.getByRole("button", { name: "New limit" }).first().click();
  const sheet = page.getByRole("dialog", { name: "New limit" });
  await sheet.getByRole("textbox", { name: "Name" }).fill(name);
  await sheet.getByRole("combobox", { name: "Applies to" }).click();
  await page.getByRole("option", { name: "Tags" }).click();
  await sheet.getByRole("combobox", { name: "Tags", exact: true }).click();
  await page.getByRole("option", { name: "Only the chosen ones" }).click();
  await sheet.getByRole("combobox", { name: "Chosen tags" }).fill(tag);
  await page.keyboard.press("Enter");
  await sheet.getByRole("combobox", { name: "Counts" }).click();
  await page.getByRole("option", { name: "Requests", exact: true }).click();
  await sheet.getByRole("textbox", { name: /^Limit/ }).fill("2");
  await sheet.getByRole("combobox", { name: "Resets" }).click();
  await page.getByRole("option", { name: "Daily" }).click();
  await expect(sheet).toContainText(`The tag ${tag} can use at most 2 requests per day.`);
  await expectAccessible(page, "new limit");
  await sheet.getByRole("button", { name: "Create limit" }).click();

  const stored = page.getByRole("dialog", { name });
  await expect(stored).toContainText("Nothing yet");
  const { key } = await api.call(createKey, {
    body: { name: unique("K"), workspace_id: world.workspaceId, tags: [tag] },
  });
  const body = { model: "sandbox/echo", input: "Hello" };
  const send = async () => (await api.send(createResponse, { body }, { as: key })).status;
  expect([await send(), await send(), await send()]).toEqual([200, 200, 429]);
  await page.reload();
  await expect(stored.getByRole("meter", { name: tag })).toHaveAttribute("aria-valuetext", "2 requests of 2 requests");
  await expect(stored).toContainText("Limit reached.");
  await expectAccessible(page, "limit");

  await stored.getByRole("textbox", { name: /^Limit/ }).fill("3");
  await stored.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Limit saved")).toBeVisible();
  await page.keyboard.press("Escape");
  const entry = page
    .getByRole("listitem")
    .filter({ has: page.getByRole("button", { name: `Open ${name}` }) })
    .last();
  await expect(entry).toContainText(`The tag ${tag}: 3 requests per day`);
  await entry.getByRole("button", { name: `Open ${name}` }).click();
  await stored.getByRole("button", { name: "Delete limit…" }).click();
  await page.getByRole("button", { name: "Delete limit", exact: true }).click();
  await expect(page.getByText(name)).toHaveCount(0);
});

test("the page of a key lists the limits that count its requests", async ({ page, api, world }) => {
  const [spend, rate] = [unique("Spend"), unique("Rate")];
  const ofWorkspace = { subject_type: "workspace" as const, subject_ids: [world.workspaceId] };
  await api.call(createLimit, { body: { ...ofWorkspace, name: spend, metric: "spend", amount: 50 } });
  await api.call(createLimit, {
    body: { ...ofWorkspace, name: rate, metric: "requests", amount: 600, reset_interval: "minutely" },
  });
  const { hash } = await world.inferenceKey();
  await page.goto(`/keys/${hash}`);
  await expect(page.getByRole("region", { name: "Remaining budgets" })).toContainText(spend);
  const limits = page.getByRole("region", { name: "Rate limits" });
  await expect(limits).toContainText(rate);
  await expect(limits).toContainText("600 requests per minute");
});
