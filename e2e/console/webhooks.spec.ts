import { createGuardrail } from "../../lib/records/guardrails/contract";
import { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from "../../lib/records/webhooks/contract";
import { startReceiver, verified } from "../webhook-receiver";
import { unique } from "../world";
import { expect, test } from "./console-test";

test("a webhook is created, its deliveries are viewed and redelivered, and it is deleted @journey", async ({
  page,
  api,
}) => {
  const receiver = await startReceiver();
  receiver.answer(503, "try later");
  const address = `${receiver.url}/${unique("story")}`;
  await page.goto("/settings?tab=webhooks");
  await page.getByRole("button", { name: "New webhook" }).click();
  const creation = page.getByRole("dialog", { name: "New webhook" });
  await creation.getByRole("textbox", { name: "URL" }).fill("https://169.254.169.254/");
  await creation.getByRole("group", { name: "Guardrails" }).getByRole("checkbox", { name: "created" }).check();
  await creation.getByRole("button", { name: "Create webhook" }).click();
  await expect(creation.getByRole("textbox", { name: "URL" })).toHaveAccessibleDescription(/link-local or metadata/);
  await creation.getByRole("textbox", { name: "URL" }).fill(address);
  await creation.getByRole("button", { name: "Create webhook" }).click();
  const shown = page.getByRole("dialog", { name: "Webhook created" });
  const secret = await shown.getByRole("textbox", { name: "Signing secret" }).inputValue();
  await page.keyboard.press("Escape");
  await shown.getByRole("button", { name: "I have stored it" }).click();

  await page.getByRole("table", { name: "Webhooks" }).getByRole("button", { name: address }).click();
  const sheet = page.getByRole("dialog");
  const name = unique("Told");
  await api.call(createGuardrail, { body: { name } });
  const deliveries = sheet.getByRole("table", { name: "Deliveries" });
  await expect(
    deliveries.getByRole("row").filter({ hasText: "guardrail.created" }).filter({ hasText: "Retrying" }).first(),
  ).toBeVisible({ timeout: 20_000 });
  await deliveries.getByRole("button", { name: "guardrail.created" }).first().click();
  await expect(sheet.getByRole("list", { name: "Attempts" })).toContainText("The receiver returned 503");
  await expect(sheet.getByRole("list", { name: "Attempts" })).toContainText("try later");
  await expect(sheet.getByRole("textbox", { name: "Payload" })).toContainText('"guardrail.created"');

  receiver.answer(200);
  await sheet.getByRole("button", { name: "Redeliver" }).click();
  await expect(sheet.getByText("Delivered", { exact: true })).toBeVisible({ timeout: 20_000 });
  const events = receiver.received.map((one) => JSON.stringify(verified(secret, one)));
  expect(events.some((event) => event.includes(name))).toBe(true);

  await sheet.getByRole("button", { name: "All deliveries" }).click();
  await sheet.getByRole("tab", { name: "Settings" }).click();
  await sheet.getByRole("button", { name: "Delete webhook…" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("textbox").fill(new URL(address).host);
  await question.getByRole("button", { name: "Delete webhook" }).click();
  await expect(page.getByText("Webhook deleted")).toBeVisible();
  expect((await api.call(listWebhooks, { query: { limit: "100" } })).data.map(({ url }) => url)).not.toContain(address);
  receiver.stop();
});

test("a webhook disabled by a 410 response is enabled again; its secret is rotated", async ({ page, api }) => {
  const receiver = await startReceiver();
  receiver.answer(410);
  const { data } = await api.call(createWebhook, { body: { url: receiver.url, events: ["blocks.spike"] } });
  await page.goto(`/settings?tab=webhooks&webhook=${data.id}`);
  const sheet = page.getByRole("dialog");
  await expect(sheet).toContainText("No deliveries yet");
  const send = sheet.getByRole("button", { name: "Send test event" });
  await send.press("Enter");
  await expect(page.getByText("Test event queued")).toBeVisible();
  await expect(send, "the focus stays while the request is sent").toBeFocused();
  await expect(sheet.getByRole("table", { name: "Deliveries" })).toContainText("Failed");
  const statuses = await sheet.getByRole("radiogroup", { name: "Status" }).boundingBox();
  expect(statuses?.width, "as wide as its options").toBeLessThan(400);
  await page.reload();
  await expect(sheet).toContainText("Disabled: The receiver returned 410 Gone");
  await sheet.getByRole("button", { name: "Enable webhook" }).click();
  await expect(page.getByText("Webhook enabled")).toBeVisible();
  await expect(sheet).not.toContainText("Disabled");

  await sheet.getByRole("tab", { name: "Settings" }).click();
  await sheet.getByRole("button", { name: "Rotate secret…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Rotate secret" }).click();
  await expect(sheet.getByRole("textbox", { name: "Signing secret" })).toHaveValue(/^whsec_/);
  await sheet.getByRole("button", { name: "I have stored it" }).click();
  await expect(sheet).toContainText("The previous secret also signs events");
  await api.call(updateWebhook, { params: { id: data.id }, body: { enabled: false } });
  await api.call(deleteWebhook, { params: { id: data.id } });
  receiver.stop();
});
