import { createGuardrail, getGuardrail } from "../../lib/guardrails/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";

test("a contradiction is named while it is written, fixed with one click, and saved", async ({ page, api }) => {
  const fields = { allowed_models: ["sandbox/echo", "sandbox/reasoner"], ignored_models: ["sandbox/echo"] };
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: unique("Contradictory"), ...fields } });
  await page.goto(`/guardrails/${guardrail.id}`);
  const problems = page.getByRole("status", { name: "Problems" });
  const finding = problems.getByRole("listitem").filter({ hasText: "1 model both allowed and ignored, so ignored: sandbox/echo." });
  await expect(finding.getByRole("link", { name: "Allowed models" })).toHaveAttribute("href", "#models");
  await expect(problems).toContainText("it enforces nothing");
  await finding.getByRole("button", { name: /^Fix/ }).click();
  await expect(finding).toHaveCount(0);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Revision 2", { exact: true })).toBeVisible();
  expect((await api.call(getGuardrail, { params: { id: guardrail.id } })).data).toMatchObject({ allowed_models: ["sandbox/reasoner"], ignored_models: ["sandbox/echo"] });
});

test("a new guardrail without a problem says so; a pattern that blocks everything is an error at once", async ({ page }) => {
  await page.goto("/guardrails/new");
  const problems = page.getByRole("status", { name: "Problems" });
  await expect(problems).toContainText("No problems found");
  await page.getByRole("button", { name: "Add a filter" }).click();
  await page.getByRole("group", { name: "Custom filter 1" }).getByRole("textbox", { name: "Pattern" }).fill(".*");
  await expect(problems.getByRole("listitem").filter({ hasText: "Matches everything" })).toContainText("Custom filter 1");
});

test("a draft that couldn't be checked says so, and the editor goes on", async ({ page, api }) => {
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: unique("Unchecked") } });
  await page.route("**/v1/guardrails/lint", (route) => route.fulfill({ status: 500, json: { error: { code: 500, message: "Internal error" } } }));
  await page.goto(`/guardrails/${guardrail.id}`);
  await expect(page.getByRole("status", { name: "Problems" })).toContainText("Could not check the draft");
  await page.getByRole("textbox", { name: "Description" }).fill("Still editable");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Revision 2", { exact: true })).toBeVisible();
});
