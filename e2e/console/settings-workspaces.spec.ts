import type { Route } from "@playwright/test";
import { getWorkspace } from "../../lib/records/workspaces/contract";
import { createWorld, unique } from "../world";
import { expect, test } from "./console-test";

test("a workspace is created with a retention period, found, and deleted by its slug", async ({ page }) => {
  const name = unique("Research");
  await page.goto("/settings?tab=workspaces");
  await page.getByRole("button", { name: "New workspace" }).click();
  const dialog = page.getByRole("dialog", { name: "New workspace" });
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByRole("textbox", { name: "Delete content after (days)" }).fill("0");
  await dialog.getByRole("button", { name: "Create workspace" }).click();
  await expect(dialog.getByRole("textbox", { name: "Delete content after (days)" })).toHaveAccessibleDescription(
    /must be at least 1/,
  );
  await dialog.getByRole("textbox", { name: "Delete content after (days)" }).fill("30");
  await dialog.getByRole("button", { name: "Create workspace" }).click();
  await expect(page.getByText(`“${name}” created`)).toBeVisible();

  await page.getByRole("searchbox", { name: "Search workspaces" }).fill(name);
  const row = page.getByRole("table", { name: "Workspaces" }).getByRole("row").filter({ hasText: name });
  await row.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("Contains no keys, guardrails or presets.");
  await question.getByRole("textbox").fill(name.toLowerCase());
  await question.getByRole("button", { name: "Delete workspace" }).click();
  await expect(page.getByText(`“${name}” deleted`)).toBeVisible();
  await expect(row).toHaveCount(0);
});

test("a default guardrail is chosen, and a taken slug is rejected", async ({ page, api, world }) => {
  const guardrail = await world.guardrail();
  const other = (await api.call(getWorkspace, { params: { id: (await createWorld(api)).workspaceId } })).data;
  await page.goto(`/settings?tab=workspaces&edit=${world.workspaceId}`);
  const form = page.getByRole("form", { name: "Workspace" });
  await form.getByRole("combobox", { name: "Default guardrail" }).click();
  await page.getByRole("option", { name: guardrail.name }).click();
  await form.getByRole("textbox", { name: "Slug" }).fill(other.slug);
  await form.getByRole("button", { name: "Save changes" }).click();
  await expect(form.getByRole("textbox", { name: "Slug" })).toHaveAccessibleDescription(/already exists/);
  const slug = unique("lab");
  await form.getByRole("textbox", { name: "Slug" }).fill(slug);
  await form.getByRole("textbox", { name: "Delete generations after (days)" }).fill("90");
  await form.getByRole("combobox", { name: "Phone number regions" }).fill("germ");
  await page.getByRole("option", { name: /Germany/ }).click();
  await form.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText(/” saved$/)).toBeVisible();
  expect((await api.call(getWorkspace, { params: { id: world.workspaceId } })).data).toMatchObject({
    slug,
    default_guardrail_id: guardrail.id,
    metadata_retention_days: 90,
    regions: ["DE"],
  });
});

test("a non-empty workspace can't be deleted and leads to its contents", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  const { name } = (await api.call(getWorkspace, { params: { id: world.workspaceId } })).data;
  await page.goto(`/settings?tab=workspaces&q=${name}`);
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("Only empty workspaces can be deleted.");
  await expect(question.getByRole("listitem")).toHaveText(["1 key"]);
  await expect(question.getByRole("textbox")).toHaveCount(0);
  await expect(question.getByRole("button", { name: "Delete workspace" })).toBeDisabled();
  await question.getByRole("link", { name: "1 key" }).click();
  await expect(page.getByRole("table", { name: "API keys" })).toContainText(key.name);
});

test("content logging is turned off in the list", async ({ page, api, world }) => {
  const { name } = (await api.call(getWorkspace, { params: { id: world.workspaceId } })).data;
  await page.goto(`/settings?tab=logging&q=${name}`);
  const storing = page.getByRole("switch", { name: `Content logging for ${name}` });
  await expect(storing).toBeChecked();
  const held: Route[] = [];
  await page.route("**/v1/workspaces/*", (route) => void held.push(route));
  await storing.press("Space");
  await expect(storing).toBeDisabled();
  await expect(storing, "while its request is sent").toBeFocused();
  await storing.press("Space");
  await expect.poll(() => held.length).toBe(1);
  await held[0]?.continue();
  await expect(page.getByText(`Content logging disabled for “${name}”`)).toBeVisible();
  await expect(storing).not.toBeChecked();
  await expect(storing).toBeFocused();
  expect(held).toHaveLength(1);
  expect((await api.call(getWorkspace, { params: { id: world.workspaceId } })).data.content_logging).toBe(false);
});
