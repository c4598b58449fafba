import { listPolicyTests } from "../../lib/features/policy-tests/contract";
import { createWorld } from "../world";
import { expect, test } from "./console-test";
import { ask, guardedKey } from "./generation-log";

test("masked content can be revealed with a reason, which the audit log records", async ({ page, api, world }) => {
  const { key } = await guardedKey(api, world, {
    content_filter_builtins: [{ slug: "email", action: "redact", scan_scope: "user_only" }],
  });
  const id = await ask(api, key, { instructions: "Escalate to mara@example.com", input: "Hello" });
  await page.goto(`/generations/${id}`);
  const message = page.getByRole("group", { name: "system" });
  await expect(message).toHaveText("Escalate to [EMAIL MASKED]");
  await expect(page.getByText("Masked: 1 email address")).toBeVisible();
  await expect(page.locator("body")).not.toContainText("mara@example.com");

  await page.getByRole("button", { name: "Reveal…" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Reveal this content?" });
  await expect(dialog.getByLabel("Reason")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Reveal…" })).toBeFocused();
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Reveal" }).click();
  await expect(dialog.getByLabel("Reason")).toHaveAccessibleDescription("Reason is required");
  await dialog.getByLabel("Reason").fill("Support case 4711");
  await dialog.getByRole("button", { name: "Reveal" }).click();
  await expect(message).toHaveText("Escalate to mara@example.com");
  await expect(page.getByRole("button", { name: "Mask again" })).toBeFocused();
  await expect(page).not.toHaveURL(/reveal|4711/);

  await page.getByRole("button", { name: "Mask again" }).click();
  await expect(message).toHaveText("Escalate to [EMAIL MASKED]");
  await page.reload();
  await expect(message).toHaveText("Escalate to [EMAIL MASKED]");

  await page.goto(`/audit?target_id=${id}`);
  await page.getByRole("button", { name: `revealed the content of generation ${id}` }).click();
  await expect(page.getByRole("dialog")).toContainText("Support case 4711");
});

test("a blocked prompt is masked, revealed, and turned into a policy test with its text", async ({
  page,
  api,
  world,
}) => {
  const { key, guardrail } = await guardedKey(api, world, {
    content_filters: [{ pattern: "falcon", label: "[PROJECT]", action: "block" }],
  });
  const id = await ask(api, key, { input: "Where do falcons nest?" });
  await page.goto(`/generations/${id}`);
  const message = page.getByRole("group", { name: "user" });
  await expect(message).toHaveText("Where do [PROJECT]s nest?");
  await page.getByRole("button", { name: "Reveal…" }).click();
  const reveal = page.getByRole("dialog", { name: "Reveal this content?" });
  await reveal.getByLabel("Reason").fill("Birds aren't the project");
  await reveal.getByRole("button", { name: "Reveal" }).click();
  await expect(message.locator("mark")).toContainText("falcon");

  await page.getByRole("button", { name: "Create policy test…" }).click();
  const dialog = page.getByRole("dialog", { name: "New policy test" });
  await expect(dialog.getByRole("textbox", { name: "Prompt" })).toHaveValue("Where do falcons nest?");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Birds are fine");
  await dialog.getByRole("button", { name: "Add test" }).click();
  await expect(dialog).toBeHidden();
  const { data } = await api.call(listPolicyTests, { params: { id: guardrail.id } });
  expect(data).toMatchObject([{ request: { input: "Where do falcons nest?" }, expected: { outcome: "allowed" } }]);
});

test("without content logging, a blocked generation says so and leads to the setting", async ({ page, api }) => {
  const silent = await createWorld(api, { content_logging: false });
  const { key } = await guardedKey(api, silent, { content_filter_builtins: [{ slug: "email", action: "block" }] });
  const id = await ask(api, key, { input: "Write to ada@example.com" });
  await page.goto(`/generations/${id}`);
  const content = page.getByRole("region", { name: "Content" });
  await expect(content).toContainText("content logging was off in this workspace");
  await content.getByRole("link", { name: "Open logging settings" }).click();
  await expect(page).toHaveURL(/\/settings\?tab=logging/);
});
