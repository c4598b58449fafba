import { createGuardrail, getGuardrail } from "../../lib/records/guardrails/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { openSection } from "./guardrail-page";

test("a contradiction is reported while editing, fixed with one click, and saved", async ({ page, api }) => {
  const fields = { allowed_models: ["sandbox/echo", "sandbox/reasoner"], ignored_models: ["sandbox/echo"] };
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: unique("Contradictory"), ...fields } });
  await page.goto(`/guardrails/${guardrail.id}?tool=problems`);
  const problems = page.getByRole("status", { name: "Problems" });
  const finding = problems
    .getByRole("listitem")
    .filter({ hasText: "1 model both allowed and blocked (blocking takes precedence): sandbox/echo." });
  await expect(finding.getByRole("link", { name: "Allowed models" })).toHaveAttribute("href", "#models");
  await expect(problems).toContainText("Unassigned, not enforced");
  await finding.getByRole("button", { name: /^Fix/ }).click();
  await expect(finding).toHaveCount(0);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Revision 2", { exact: true })).toBeVisible();
  expect((await api.call(getGuardrail, { params: { id: guardrail.id } })).data).toMatchObject({
    allowed_models: ["sandbox/reasoner"],
    ignored_models: ["sandbox/echo"],
  });
});

test("a new guardrail has no problems; a pattern that blocks everything is an error", async ({ page }) => {
  await page.goto("/guardrails/new?tool=problems");
  const problems = page.getByRole("status", { name: "Problems" });
  await expect(problems).toContainText("No problems found");
  await openSection(page, "Custom patterns");
  await page.getByRole("button", { name: "Add filter" }).click();
  await page.getByRole("group", { name: "Custom filter 1" }).getByRole("textbox", { name: "Pattern" }).fill(".*");
  await expect(problems.getByRole("listitem").filter({ hasText: "Matches everything" })).toContainText(
    "Custom filter 1",
  );
});

test("a failed check is reported and doesn't block the editor", async ({ page, api }) => {
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: unique("Unchecked") } });
  await page.route("**/v1/guardrails/lint", (route) =>
    route.fulfill({ status: 500, json: { error: { code: 500, message: "Internal error" } } }),
  );
  await page.goto(`/guardrails/${guardrail.id}?tool=problems`);
  await expect(page.getByRole("status", { name: "Problems" })).toContainText("Couldn't check the draft");
  await page.getByRole("textbox", { name: "Description" }).fill("Still editable");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Revision 2", { exact: true })).toBeVisible();
});

test("saving with an error asks for confirmation, with the options to fix or to save anyway", async ({ page, api }) => {
  const { data: guardrail } = await api.call(createGuardrail, {
    body: {
      name: unique("Doubtful"),
      allowed_models: ["sandbox/echo"],
      ignored_models: ["sandbox/echo", "sandbox/reasoner"],
    },
  });
  await page.goto(`/guardrails/${guardrail.id}?tool=problems`);
  await page.getByRole("textbox", { name: "Description" }).fill("Only the echo");
  await page.getByRole("textbox", { name: /^Reason/ }).fill("Ask the team first");
  await page.getByRole("button", { name: "Save changes" }).click();
  const dialog = page.getByRole("dialog", { name: "Save with this error?" });
  await expect(dialog.getByRole("listitem")).toContainText("No others are allowed.");
  await dialog.getByRole("button", { name: "Keep editing" }).click();
  expect((await api.call(getGuardrail, { params: { id: guardrail.id } })).data.revision).toBe(1);

  await page.getByRole("button", { name: "Save changes" }).click();
  await dialog.getByRole("button", { name: /^Fix and save/ }).click();
  await expect(page.getByText("Revision 2", { exact: true })).toBeVisible();
  // The first finding depends on other guardrails in the workspace.
  await expect(page.getByText(/Warning: \S/)).toBeVisible();
  await expect(page.getByRole("status", { name: "Problems" })).toContainText("Unassigned, not enforced");
  const { data } = await api.call(getGuardrail, { params: { id: guardrail.id } });
  expect(data).toMatchObject({
    revision: 2,
    description: "Only the echo",
    allowed_models: ["sandbox/echo"],
    ignored_models: ["sandbox/reasoner"],
  });

  await page.goto(`/guardrails/${guardrail.id}/history`);
  await expect(page.getByRole("listitem", { name: "Revision 2" })).toContainText("Ask the team first");
});

test("an intended configuration can be saved despite the error", async ({ page, api }) => {
  const { data: guardrail } = await api.call(createGuardrail, {
    body: { name: unique("Shut"), allowed_models: ["nobody/serves-this"] },
  });
  await page.goto(`/guardrails/${guardrail.id}?tool=problems`);
  await page.getByRole("textbox", { name: "Description" }).fill("Closed for now");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page
    .getByRole("dialog", { name: "Save with this error?" })
    .getByRole("button", { name: "Save anyway" })
    .click();
  await expect(page.getByText("Revision 2", { exact: true })).toBeVisible();
});
