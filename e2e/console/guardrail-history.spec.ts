import { createGuardrail, getGuardrail, updateGuardrail } from "../../lib/records/guardrails/contract";
import type { Api } from "../api-client";
import { unique } from "../world";
import { expect, test } from "./console-test";

/** Creates a guardrail with three revisions. */
async function threeRevisions(api: Api) {
  const { data } = await api.call(createGuardrail, {
    body: { name: unique("Revised"), limit_usd: 5, revision_message: "To begin with" },
  });
  const params = { id: data.id };
  await api.call(updateGuardrail, {
    params,
    body: { allowed_models: ["sandbox/echo"], revision_message: "Only the echo" },
  });
  await api.call(updateGuardrail, { params, body: { limit_usd: 9 } });
  return data;
}

test("the history shows authors, changes and reasons, and compares two revisions from the URL", async ({
  page,
  api,
}) => {
  const { id, name } = await threeRevisions(api);
  await page.goto(`/guardrails/${id}/history`);
  await expect(page.getByRole("heading", { level: 1, name: `History of ${name}` })).toBeVisible();
  const revisions = page.getByRole("list", { name: "Revisions" }).getByRole("listitem", { name: /^Revision/ });
  await expect(revisions).toHaveCount(3);
  await expect(revisions.nth(0)).toContainText("Current");
  await expect(revisions.nth(1)).toContainText("Only the echo");
  await expect(revisions.nth(1)).toContainText("Changed: Allowed models");
  const diff = (from: number, to: number) =>
    page.getByRole("group", { name: `Changes from Revision ${from} to Revision ${to}` });
  await expect(diff(2, 3)).toContainText(/Budget limit.*\$5\.00\$9\.00/);
  await expect(diff(2, 3)).not.toContainText("Allowed models");

  await page.getByRole("radio", { name: "Compare from revision 1" }).click();
  await expect(diff(1, 3)).toContainText("Allowed models");
  await expect(page).toHaveURL(/from=1&to=3/);
  await page.reload();
  await expect(diff(1, 3)).toContainText("sandbox/echo");
});

test("restoring a revision shows its changes and creates a new revision with a reason @journey", async ({
  page,
  api,
}) => {
  const { id } = await threeRevisions(api);
  await page.goto(`/guardrails/${id}/history`);
  await page.getByRole("button", { name: "Restore revision 1" }).click();
  const dialog = page.getByRole("dialog", { name: "Restore revision 1?" });
  await expect(dialog.getByRole("group", { name: "Changes from Revision 3 to Revision 1" })).toContainText(
    "Budget limit",
  );
  await dialog.getByRole("textbox", { name: /^Reason/ }).fill("The echo was too little");
  await dialog.getByRole("button", { name: "Restore revision 1" }).click();
  await expect(page.getByText("Saved as revision 4.")).toBeVisible();
  await expect(page.getByRole("listitem", { name: "Revision 4" })).toContainText("The echo was too little");
  expect((await api.call(getGuardrail, { params: { id } })).data).toMatchObject({
    revision: 4,
    limit_usd: 5,
    allowed_models: null,
  });
});

test("a concurrent change stops a restore, which then shows the updated changes", async ({ page, api }) => {
  const { id } = await threeRevisions(api);
  await page.goto(`/guardrails/${id}/history`);
  await page.getByRole("button", { name: "Restore revision 1" }).click();
  const dialog = page.getByRole("dialog", { name: "Restore revision 1?" });
  await expect(dialog.getByRole("group", { name: "Changes from Revision 3 to Revision 1" })).toBeVisible();
  await api.call(updateGuardrail, { params: { id }, body: { description: "Theirs" } });
  await dialog.getByRole("button", { name: "Restore revision 1" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Someone else saved this guardrail in the meantime");
  await expect(dialog.getByRole("group", { name: "Changes from Revision 4 to Revision 1" })).toContainText("Theirs");
  expect((await api.call(getGuardrail, { params: { id } })).data.revision).toBe(4);
  await dialog.getByRole("button", { name: "Restore revision 1" }).click();
  await expect(page.getByText("Saved as revision 5.")).toBeVisible();
});

test("the history of an unknown guardrail is not found", async ({ page }) => {
  await page.goto("/guardrails/019aa000-0000-7000-8000-000000000000/history");
  await expect(page.getByRole("alert").filter({ hasText: "Not found" })).toBeVisible();
});
