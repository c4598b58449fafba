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

  await page.getByRole("button", { name: "Reveal…" }).click();
  const dialog = page.getByRole("dialog", { name: "Reveal this content?" });
  await dialog.getByRole("button", { name: "Reveal" }).click();
  await expect(dialog.getByLabel("Reason")).toHaveAccessibleDescription("Reason is required");
  await dialog.getByLabel("Reason").fill("Support case 4711");
  await dialog.getByRole("button", { name: "Reveal" }).click();
  await expect(message).toHaveText("Escalate to mara@example.com");
  await expect(page).not.toHaveURL(/reveal|4711/);

  await page.getByRole("button", { name: "Mask again" }).click();
  await expect(message).toHaveText("Escalate to [EMAIL MASKED]");
  await page.reload();
  await expect(message).toHaveText("Escalate to [EMAIL MASKED]");

  await page.goto(`/audit?target_id=${id}`);
  await page.getByRole("button", { name: `revealed the content of generation ${id}` }).click();
  await expect(page.getByRole("dialog").getByRole("region", { name: "Changes" })).toContainText("Support case 4711");
});
