import { createGuardrail, deleteGuardrail } from "../../lib/records/guardrails/contract";
import { createPresetFromResponses, getPreset, updatePreset } from "../../lib/records/presets/contract";
import { setPresetLabel } from "../../lib/records/presets/labels-contract";
import { createWorld } from "../world";
import { updateWorkspace } from "../../lib/records/workspaces/contract";
import type { Api } from "../api-client";
import { expect, test } from "./console-test";
import { createPreset } from "./preset-world";

const labelsOf = async (api: Api, slug: string) => (await api.call(getPreset, { params: { slug } })).data.labels;

test("a label is set, moved and removed, each with undo", async ({ page, api }) => {
  const slug = await createPreset(api);
  await page.goto(`/presets/${slug}?tab=versions`);
  await page.getByRole("button", { name: "Labels of version 1" }).click();
  const dialog = page.getByRole("dialog", { name: "Labels of version 1" });
  await dialog.getByRole("textbox", { name: "New label" }).fill("3");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText(/must start with a letter/).first()).toBeVisible();
  await dialog.getByRole("textbox", { name: "New label" }).fill("prod");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Label prod now points to version 1", { exact: true })).toBeVisible();
  expect(await labelsOf(api, slug)).toEqual({ prod: 1 });
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("row", { name: /Version 1/ })).toContainText("prod");

  await page.getByRole("button", { name: "Labels of version 2" }).click();
  await page.getByRole("button", { name: "Move prod from version 1" }).click();
  await expect(page.getByText("Label prod now points to version 2", { exact: true })).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await page
    .getByRole("listitem")
    .filter({ hasText: "Label prod now points to version 2" })
    .getByRole("button", { name: "Undo" })
    .click();
  await expect(page.getByText("Label prod now points to version 1 again", { exact: true })).toBeVisible();
  expect(await labelsOf(api, slug)).toEqual({ prod: 1 });

  await page.getByRole("button", { name: "Labels of version 1" }).click();
  await page.getByRole("button", { name: "Remove label prod" }).click();
  await expect(page.getByText("Label prod removed", { exact: true })).toBeVisible();
  expect(await labelsOf(api, slug)).toEqual({});
});

test("an undo never moves a label that was moved in the meantime", async ({ page, api }) => {
  const slug = await createPreset(api);
  await page.goto(`/presets/${slug}?tab=versions`);
  await page.getByRole("button", { name: "Labels of version 1" }).click();
  await page.getByRole("textbox", { name: "New label" }).fill("prod");
  await page.getByRole("button", { name: "Set label" }).click();
  await expect(page.getByText("Label prod now points to version 1", { exact: true })).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await api.call(updatePreset, { params: { slug }, body: { description: "theirs" } });
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("The preset has changed since.")).toBeVisible();
  expect(await labelsOf(api, slug)).toEqual({ prod: 1 });
});

test("the snippet uses the selected label", async ({ page, api }) => {
  const slug = await createPreset(api);
  await api.call(setPresetLabel, { params: { slug, label: "prod" }, body: { version: 1 } });
  await page.goto(`/presets/${slug}?tab=use`);
  await page.getByRole("combobox", { name: "Target version" }).click();
  await page.getByRole("option", { name: "Label prod" }).click();
  await expect(page.getByRole("group", { name: "curl example" })).toContainText(`@preset/${slug}:prod`);
  await expect(page.getByText("Uses the version of label prod, currently 1.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("group", { name: "curl example" })).toContainText(`@preset/${slug}:prod`);
});

test("the preset lists incompatible guardrails, and the guardrail's editor lists incompatible presets", async ({
  page,
  api,
}) => {
  const world = await createWorld(api);
  const query = { workspace_id: world.workspaceId };
  for (const model of ["sandbox/echo", "sandbox/reasoner"])
    await api.call(createPresetFromResponses, { params: { slug: "support" }, query, body: { model } });
  const { data: guardrail } = await api.call(createGuardrail, {
    body: { name: "Echo only", workspace_id: world.workspaceId, allowed_models: ["sandbox/echo"] },
  });
  await api.call(updateWorkspace, { params: { id: world.workspaceId }, body: { default_guardrail_id: guardrail.id } });
  await page.goto(`/presets/support?workspace=${world.workspaceId}`);
  await page.getByRole("tab", { name: "Guardrails" }).click();
  const policies = page.getByRole("list", { name: "Active guardrails" });
  await expect(policies).toContainText("No endpoint available");
  await expect(policies).toContainText("Allowed models of “Echo only”: excludes 1 of 1 endpoint (sandbox/reasoner)");
  await page.goto(`/presets/support?workspace=${world.workspaceId}&tab=guardrails&version=1`);
  await expect(policies).toContainText("Works");

  await page.goto(`/guardrails/${guardrail.id}?tool=problems`);
  const problems = page.getByRole("status", { name: "Problems" });
  await expect(problems).toContainText("Leaves no endpoint for a preset: “support” (live).");
  await problems.getByRole("button", { name: /^Fix: Leaves no endpoint/ }).click();
  await expect(problems).not.toContainText("Leaves no endpoint for a preset");
  await api.call(deleteGuardrail, { params: { id: guardrail.id } });
});
