import type { Page } from "@playwright/test";
import { createGuardrail } from "../../lib/records/guardrails/contract";
import { createResponse } from "../../lib/gateway/contract";
import { createKey } from "../../lib/records/keys/contract";
import { unique } from "../world";
import { expect, scrollWithPromises, test } from "./console-test";
import { addValues, box, openEditor, openSection, openTool } from "./guardrail-page";

const panel = (page: Page) => page.getByRole("region", { name: "Try it" });
const result = (page: Page) => page.getByRole("region", { name: "Check result" });

async function check(page: Page, prompt: string, model = "sandbox/echo") {
  await openTool(page, "Try it");
  await box(panel(page), "Prompt").fill(prompt);
  await panel(page).getByRole("combobox", { name: "Model" }).fill(model);
  await panel(page)
    .getByRole("button", { name: /^Check/ })
    .click();
}

test("an unsaved draft can be tried, with matches highlighted before and after @journey", async ({ page }) => {
  await openEditor(page, "/guardrails/new");
  await page.getByRole("radiogroup", { name: "Email addresses" }).getByRole("radio", { name: "Redact" }).click();
  await check(page, "Write to ada@example.com today");
  await expect(result(page)).toContainText("Allowed with redactions");
  const written = result(page).getByRole("region", { name: "Original prompt" });
  await expect(written.locator("mark")).toContainText("ada@example.com");
  await expect(result(page).getByRole("region", { name: "As sent to the model" })).toHaveText(
    /Write to \[EMAIL\] today/,
  );
  await expect(result(page).getByRole("region", { name: "Decisions" })).toContainText("this draft, 1 found");
  await expect(result(page).getByRole("region", { name: "Endpoints" })).toContainText("Included");

  await page.getByRole("radiogroup", { name: "Email addresses" }).getByRole("radio", { name: "Block" }).click();
  await expect(panel(page)).toContainText("The draft, prompt or response has changed since this check.");
  await panel(page).getByRole("button", { name: "Check again" }).click();
  await expect(result(page)).toContainText("Blocked");
  await expect(result(page)).toContainText("Error returned: Request blocked by content filter: [EMAIL]");
  await expect(panel(page)).not.toContainText("The draft, prompt or response has changed since this check.");
});

test("a response is checked by the filters of responses, and saved with a test", async ({ page, api }) => {
  const { data: guardrail } = await api.call(createGuardrail, {
    body: {
      name: unique("Answers"),
      content_filter_builtins: [{ slug: "email", action: "redact", scope: "response" }],
    },
  });
  await openEditor(page, `/guardrails/${guardrail.id}`);
  await openTool(page, "Try it");
  await box(panel(page), "Response (optional)").fill("Ask ada@example.com");
  await check(page, "Who knows?");
  await expect(result(page)).toContainText("Allowed with redactions");
  await expect(result(page).getByRole("region", { name: "Original response" }).locator("mark")).toContainText(
    "ada@example.com",
  );
  await expect(result(page).getByRole("region", { name: "As returned to the caller" })).toContainText("Ask [EMAIL]");
  await expect(result(page).getByRole("region", { name: "As sent to the model" })).toHaveCount(0);
  await expect(result(page).getByRole("region", { name: "Decisions" })).toContainText("1 found in the response");
  await panel(page).getByRole("button", { name: "Save as test…" }).click();
  const dialog = page.getByRole("dialog", { name: "New policy test" });
  await expect(box(dialog, "Response (optional)")).toHaveValue("Ask ada@example.com");
  await box(dialog, "Name").fill("Addresses in responses");
  await dialog.getByRole("button", { name: "Add test" }).click();
  await openTool(page, "Tests");
  await expect(page.getByRole("status", { name: "Test results" })).toContainText("Test passed");
});

test("an edited guardrail can be tried with Chat Completions and shows which field excludes an endpoint", async ({
  page,
  api,
}) => {
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: unique("Tried") } });
  await openEditor(page, `/guardrails/${guardrail.id}`);
  await openTool(page, "Try it");
  await panel(page).getByRole("radio", { name: "Chat Completions" }).click();
  await check(page, "Hello");
  await expect(result(page)).toContainText("Allowed unchanged");
  await openSection(page, "Providers");
  await addValues(page, "Blocked providers", ["sandbox"]);
  await panel(page).getByRole("button", { name: "Check again" }).click();
  await expect(result(page)).toContainText("No endpoint available");
  await expect(result(page).getByRole("region", { name: "Endpoints" })).toContainText(
    "by blocked providers, this draft",
  );
  await expect(result(page).getByRole("region", { name: "Decisions" })).toContainText("excluded");
});

test("a result comes into view, and the page can be left", async ({ page }) => {
  await scrollWithPromises(page);
  await page.setViewportSize({ width: 1280, height: 500 });
  await openEditor(page, "/guardrails/new");
  await check(page, "Hello");
  await expect(result(page)).toBeInViewport();
  await page.getByRole("link", { name: "Presets", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Presets", level: 1 })).toBeVisible();
});

test("a failed check shows its error and keeps the prompt", async ({ page }) => {
  await openEditor(page, "/guardrails/new");
  await openSection(page, "Custom patterns");
  await page.getByRole("button", { name: "Add filter" }).click();
  await box(page, "Pattern").fill("a(?=b)");
  await check(page, "Hello");
  await expect(panel(page).getByRole("alert")).toContainText("content filters 1, pattern: Lookahead isn't supported");
  await expect(box(panel(page), "Prompt")).toHaveValue("Hello");
});

test("the prompt and model of a stored request can be reused", async ({ page, api }) => {
  const word = unique("stored");
  const { key } = await api.call(createKey, { body: { name: unique("Key") } });
  const answer = await api.as(key).send(createResponse, { body: { model: "sandbox/echo", input: `Please ${word}` } });
  expect(answer.status, await answer.text()).toBe(200);
  await openEditor(page, "/guardrails/new");
  await openTool(page, "Try it");
  await panel(page).getByRole("button", { name: "Use stored prompt" }).click();
  const prompts = page.getByRole("dialog", { name: "Use stored prompt" });
  await prompts.getByRole("searchbox", { name: "Search prompts" }).fill(word);
  await expect(prompts.getByRole("list", { name: "Stored prompts" }).getByRole("button")).toHaveCount(1);
  await prompts.getByRole("list", { name: "Stored prompts" }).getByRole("button").click();
  await expect(prompts).toBeHidden();
  await expect(box(panel(page), "Prompt")).toHaveValue(`Please ${word}`);
  await expect(panel(page).getByRole("combobox", { name: "Model" })).toHaveValue("sandbox/echo");
  await panel(page).getByRole("button", { name: "Check prompt" }).click();
  await expect(result(page)).toContainText("Allowed unchanged");
});
