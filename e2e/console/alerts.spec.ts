import { createAlert } from "../../lib/features/alerts/contract";
import { bulkAssignKeys } from "../../lib/records/guardrails/assignments-contract";
import { createResponse } from "../../lib/gateway/contract";
import { startReceiver } from "../webhook-receiver";
import { unique } from "../world";
import { attention, showItem } from "./attention";
import { expect, test } from "./console-test";
import { expectAccessible } from "./page-checks";

test("an alert is created and tested, a block spike fires it, and the history shows both @journey", async ({
  page,
  api,
  world,
}) => {
  const slack = await startReceiver();
  const key = await world.inferenceKey();
  const guardrail = await world.guardrail({
    content_filters: [{ pattern: "secret-[0-9]+", label: "[SECRET]", action: "block" }],
  });
  await api.call(bulkAssignKeys, { params: { id: guardrail.id }, body: { key_hashes: [key.hash] } });
  for (let sent = 0; sent < 3; sent++)
    await api.as(key.text).refuse(createResponse, 403, { body: { model: "sandbox/echo", input: "secret-42" } });

  const name = unique("Spike");
  await page.goto("/alerts");
  await page.getByRole("button", { name: "New alert" }).first().click();
  const creation = page.getByRole("dialog", { name: "New alert" });
  await creation.getByRole("combobox", { name: "Condition" }).click();
  await page.getByRole("option", { name: "Block spike" }).click();
  await creation.getByRole("textbox", { name: "Threshold" }).fill("0");
  await creation.getByRole("button", { name: "Create alert" }).click();
  await expect(creation.getByRole("textbox", { name: "Name" })).toHaveAccessibleDescription(/required/);
  await expect(creation.getByRole("textbox", { name: "Threshold" })).toHaveAccessibleDescription(/more than 0/);
  await expectAccessible(page, "new alert");
  await creation.getByRole("textbox", { name: "Name" }).fill(name);
  await creation.getByRole("textbox", { name: "Threshold" }).fill("3");
  await creation.getByText("Scope: all traffic").click();
  const ofKey = creation.getByRole("combobox", { name: "Key" });
  await ofKey.fill(key.name);
  await page.getByRole("option", { name: key.name, exact: true }).click();
  await expect(ofKey).toHaveValue(key.name);
  await expect(ofKey).toBeFocused();
  await creation.getByLabel("Slack webhook URL").fill("http://169.254.169.254/");
  await creation.getByRole("button", { name: "Create alert" }).click();
  await expect(creation.getByLabel("Slack webhook URL")).toHaveAccessibleDescription(/link-local or metadata/);
  const isLeavingConfirmed = () =>
    page.evaluate(() => !window.dispatchEvent(new Event("beforeunload", { cancelable: true })));
  expect(await isLeavingConfirmed(), "a failed submit saved nothing").toBe(true);
  await page.keyboard.press("Escape");
  await expect(creation.getByText("Press Escape again to discard what you entered.")).toBeVisible();
  await creation.getByLabel("Slack webhook URL").fill(slack.url);
  await creation.getByRole("button", { name: "Create alert" }).click();

  const sheet = page.getByRole("dialog", { name });
  await expect(sheet.getByText("Stored (hidden)")).toBeVisible();
  await sheet.getByRole("button", { name: "Send test" }).click();
  const history = sheet.getByRole("list", { name: "History" });
  await expect(history.getByRole("listitem").filter({ hasText: "This is a test" }).first()).toContainText("Delivered", {
    timeout: 60_000,
  });
  // The test's text contains the condition as an example.
  const fired = history
    .getByRole("listitem")
    .filter({ hasText: "3 requests blocked in 15 minutes", hasNotText: "This is a test" })
    .first();
  await expect(fired).toContainText("Delivered", { timeout: 120_000 });
  await expect(sheet.getByText("Firing", { exact: true }).first()).toBeVisible();
  const texts = slack.received.map(({ body }) => (JSON.parse(body) as { text: string }).text);
  expect(texts.some((text) => text.startsWith(`Test: ${name}`))).toBe(true);
  expect(texts).toContain(`Firing: ${name}: 3 requests blocked in 15 minutes (threshold: 3 requests)`);
  await expectAccessible(page, "alert");

  await page.keyboard.press("Escape");
  const alerts = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^Alerts/ });
  await expect(alerts).toHaveAccessibleName(/^Alerts\s*\d+ firing$/);
  await page.goto("/");
  const requests = attention(page).getByRole("link", { name: `Show requests: ${name} is firing` });
  await showItem(page, requests);
  await requests.click();
  await expect(page.getByRole("heading", { level: 1, name: "Generations" })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`status=blocked&key_hash=${key.hash}|key_hash=${key.hash}&status=blocked`));
  await expect(page.getByRole("table").getByText("sandbox/echo")).toHaveCount(3);
  await page.goto("/alerts?tab=history");
  await page.getByRole("list", { name: "History" }).getByRole("button", { name }).first().click();
  await expect(sheet).toBeVisible();

  await sheet.getByRole("tab", { name: "Settings" }).click();
  await sheet.getByRole("switch", { name: "Enabled" }).click();
  await sheet.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Alert saved")).toBeVisible();
  expect(await isLeavingConfirmed()).toBe(false);
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "History" }).click();
  await page.getByRole("radio", { name: "Resolved" }).click();
  await expect(page).toHaveURL(/tab=history/);
  await expect(page).toHaveURL(/state=resolved/);
  const resolved = page.getByRole("list", { name: "History" }).getByRole("button", { name });
  await expect(resolved).toHaveCount(1);
  await resolved.click();
  await sheet.getByRole("button", { name: "Delete alert…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete alert" }).click();
  await expect(page.getByText("Alert deleted")).toBeVisible();
  await page.getByRole("tab", { name: "Rules" }).click();
  await expect(page.getByText(name)).toHaveCount(0);
  slack.stop();
});

test("an unknown alert says so", async ({ page }) => {
  await page.goto("/alerts?alert=01980000-0000-7000-8000-000000000000");
  await expect(page.getByRole("dialog")).toContainText("Not found");
});

test("an alert on deprecated models asks for days until retirement, and reminds weekly by default", async ({
  page,
}) => {
  const name = unique("Retirements");
  await page.goto("/alerts?alert=new");
  const creation = page.getByRole("dialog", { name: "New alert" });
  await creation.getByRole("combobox", { name: "Condition" }).click();
  await page.getByRole("option", { name: "Deprecated model" }).click();
  await expect(creation.getByRole("textbox", { name: "Threshold (days until retirement)" })).toHaveValue("30");
  await expect(creation.getByRole("textbox", { name: "Quiet period (minutes)" })).toHaveValue(/^10,?080$/);
  await expect(creation.getByRole("textbox", { name: "Window (minutes)" })).toHaveCount(0);
  await creation.getByRole("textbox", { name: "Name" }).fill(name);
  await creation.getByRole("textbox", { name: "Threshold (days until retirement)" }).fill("45");
  await creation.getByRole("button", { name: "Create alert" }).click();
  await expect(page.getByRole("dialog", { name })).toContainText("Deprecated model in use: retires within 45 days");
});

test("a rule without a channel is marked in the list and in its sheet", async ({ page, api }) => {
  const name = unique("Silent");
  await api.call(createAlert, { body: { name, kind: "error_rate", threshold: 50 } });
  await page.goto("/alerts");
  await expect(page.getByRole("row").filter({ hasText: name })).toContainText("No channel: notifies nobody");
  await page.getByRole("button", { name, exact: true }).click();
  await expect(page.getByRole("dialog", { name }).getByText("No channel: notifies nobody")).toBeVisible();
});
