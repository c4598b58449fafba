import type { Locator, Page } from "@playwright/test";
import { listExceptions } from "../../lib/records/exceptions/contract";
import { listGuardrails } from "../../lib/records/guardrails/contract";
import { listKeys } from "../../lib/records/keys/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { box, openEditor } from "./guardrail-page";
import { openNewKey } from "./key-steps";

/** Counts the requests a page sends with this method to a path. */
function countRequests(page: Page, method: string, path: RegExp): () => number {
  let count = 0;
  page.on("request", (request) => {
    if (request.method() === method && path.test(new URL(request.url()).pathname)) count += 1;
  });
  return () => count;
}

/** Clicks twice before React can render, as a fast double click does on a busy machine. */
async function doubleClick(button: Locator): Promise<void> {
  await expect(button).toBeEnabled();
  await button.evaluate((element: HTMLElement) => {
    element.click();
    element.click();
  });
}

test("a double click on “Rotate key” rotates once and shows the key", async ({ page, world }) => {
  const key = await world.inferenceKey();
  const rotations = countRequests(page, "POST", /^\/v1\/keys\/[^/]+\/rotate$/);
  await page.goto(`/keys/${key.hash}`);
  await page.getByRole("button", { name: "Rotate…" }).click();
  const dialog = page.getByRole("dialog");
  await doubleClick(dialog.getByRole("button", { name: "Rotate key" }));
  await expect(dialog.getByRole("textbox", { name: "Key" })).toHaveValue(/^sb-key-v1-/);
  await expect(dialog.getByRole("button", { name: "I have stored it" })).toBeVisible();
  expect(rotations()).toBe(1);
});

test("a double click on “Create key” creates one key and shows it", async ({ page, api }) => {
  const name = unique("Double");
  const dialog = await openNewKey(page);
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await doubleClick(dialog.getByRole("button", { name: "Create key" }));
  await expect(dialog.getByRole("textbox", { name: "Key" })).toHaveValue(/^sb-key-v1-/);
  expect((await api.call(listKeys, { query: { q: name } })).total_count).toBe(1);
});

test("the second click of a double click doesn't confirm that a key is stored", async ({ page }) => {
  const dialog = await openNewKey(page);
  await dialog.getByRole("textbox", { name: "Name" }).fill(unique("Unseen"));
  await dialog.getByRole("button", { name: "Create key" }).click();
  const stored = dialog.getByRole("button", { name: "I have stored it" });
  await stored.dispatchEvent("click", { detail: 2 });
  await expect(dialog.getByRole("textbox", { name: "Key" })).toBeVisible();
  await stored.click();
  await expect(dialog).toBeHidden();
});

test("a double click grants one exception", async ({ page, api, world }) => {
  const member = await world.member();
  await page.goto(`/members/${member.id}`);
  await page.getByRole("button", { name: "Grant exception…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "Allow a phrase" }).check();
  await dialog.getByRole("textbox", { name: "Reason" }).fill("The public address");
  await dialog.getByRole("textbox", { name: "Exact text" }).fill("support@example.com");
  await doubleClick(dialog.getByRole("button", { name: "Grant exception" }));
  await expect(page.getByText("Exception granted", { exact: true })).toBeVisible();
  await expect(dialog).toBeHidden();
  expect((await api.call(listExceptions, { query: { user_id: member.id } })).data).toHaveLength(1);
});

test("a double click invites a member once and shows the link", async ({ page }) => {
  const invitations = countRequests(page, "POST", /^\/v1\/organization\/members$/);
  await page.goto("/members");
  await page.getByRole("button", { name: "Invite member" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Email" }).fill(`${unique("double")}@example.com`);
  await doubleClick(dialog.getByRole("button", { name: "Create invitation" }));
  await expect(dialog.getByRole("textbox", { name: "Invitation link" })).toHaveValue(/\/invite\//);
  expect(invitations()).toBe(1);
});

test("a double click creates one workspace", async ({ page }) => {
  const name = unique("Double");
  const creations = countRequests(page, "POST", /^\/v1\/workspaces$/);
  await page.goto("/settings?tab=workspaces");
  await page.getByRole("button", { name: "New workspace" }).click();
  const dialog = page.getByRole("dialog", { name: "New workspace" });
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await doubleClick(dialog.getByRole("button", { name: "Create workspace" }));
  await expect(page.getByText(`“${name}” created`)).toBeVisible();
  expect(creations()).toBe(1);
});

test("a double click creates one guardrail", async ({ page, api }) => {
  const name = unique("Double");
  await openEditor(page, "/guardrails/new");
  await box(page, "Name").fill(name);
  await doubleClick(page.getByRole("button", { name: "Create guardrail" }));
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  expect((await api.call(listGuardrails, { query: { q: name } })).total_count).toBe(1);
});
