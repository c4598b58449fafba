import { createGuardrail, getGuardrail } from "../../lib/records/guardrails/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { addValues, box, filterOf, idOf, openEditor, openSection, select } from "./guardrail-page";

test("a guardrail with every section filled is created and prompts for an assignment @journey", async ({
  page,
  api,
}) => {
  const name = unique("Everything");
  await openEditor(page, "/guardrails/new");
  await box(page, "Name").fill(name);
  await box(page, "Description").fill("For production");
  await addValues(page, "Allowed models", ["sandbox/echo", "anthropic/not-there"]);
  await addValues(page, "Blocked models", ["openai/gpt-3.5-turbo"]);
  await openSection(page, "Providers");
  await addValues(page, "Allowed providers", ["sandbox"]);
  await addValues(page, "Blocked providers", ["azure"]);
  await openSection(page, "Zero data retention");
  await page.getByRole("switch", { name: "Models from Anthropic" }).click();
  await page.getByRole("switch", { name: "Models from all other vendors" }).click();
  await openSection(page, "Prompt injection and secrets");
  await page.getByRole("radiogroup", { name: "Prompt injection" }).getByRole("radio", { name: "Flag" }).click();
  await select(page, page, "Scanned messages", "User messages");
  await page.getByRole("radiogroup", { name: "Email addresses" }).getByRole("radio", { name: "Redact" }).click();
  await page.getByRole("radiogroup", { name: "Payment card numbers" }).getByRole("radio", { name: "Block" }).click();
  await openSection(page, "Custom patterns");
  await page.getByRole("button", { name: "Add filter" }).click();
  await box(filterOf(page, 1), "Pattern").fill("PROJ-[0-9]{4}");
  await box(filterOf(page, 1), "Label").fill("[PROJECT]");
  await select(filterOf(page, 1), page, "Action", "Block");
  await box(page, "Limit (USD)").fill("1,250.50");
  await select(page, page, "Resets", "Monthly");
  await page.getByRole("switch", { name: "Include spend on your own provider keys (BYOK)" }).click();

  const meaning = page.getByRole("region", { name: "What this does" });
  await expect(meaning).toContainText("Only sandbox/echo and anthropic/not-there can be used.");
  await expect(meaning).toContainText("Models from Anthropic and all other vendors use only zero-retention endpoints.");
  await expect(meaning).toContainText(
    "Each assigned key and member can spend $1,250.50 per month, including BYOK spend.",
  );
  await page.getByRole("button", { name: "Create guardrail" }).click();

  await expect(page.getByText(`“${name}” created`)).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await expect(page).toHaveTitle(new RegExp(name));
  await expect(page.getByRole("link", { name: "Unassigned, not enforced" })).toBeVisible();
  expect((await api.call(getGuardrail, { params: { id: idOf(page) } })).data).toMatchObject({
    name,
    description: "For production",
    allowed_models: ["sandbox/echo", "anthropic/not-there"],
    ignored_models: ["openai/gpt-3.5-turbo"],
    allowed_providers: ["sandbox"],
    ignored_providers: ["azure"],
    enforce_zdr: null,
    enforce_zdr_vendor_a: true,
    enforce_zdr_vendor_b: null,
    enforce_zdr_other: true,
    content_filter_builtins: [
      { slug: "regex-prompt-injection", action: "flag", scan_scope: "user_only" },
      { slug: "email", action: "redact" },
      { slug: "credit-card", action: "block" },
    ],
    content_filters: [{ pattern: "PROJ-[0-9]{4}", label: "[PROJECT]", action: "block" }],
    limit_usd: 1250.5,
    reset_interval: "monthly",
    include_byok_in_budgets: true,
  });
});

test("a missing name is reported on the field", async ({ page }) => {
  await openEditor(page, "/guardrails/new");
  await box(page, "Description").fill("Typed with care");
  await page.getByRole("button", { name: "Create guardrail" }).click();
  await expect(box(page, "Name")).toHaveAccessibleDescription(/is required/);
  await expect(box(page, "Name")).toBeFocused();
  await expect(page).toHaveURL(/\/guardrails\/new$/);
  await box(page, "Name").fill(unique("Named"));
  await expect(box(page, "Name")).toHaveAttribute("aria-invalid", "false");
  await expect(box(page, "Description")).toHaveValue("Typed with care");
});

test("a copy starts with the original's values and is only stored on creation", async ({ page, api }) => {
  const { data: original } = await api.call(createGuardrail, {
    body: {
      name: unique("Original"),
      allowed_models: ["sandbox/echo"],
      enforce_zdr: true,
      limit_usd: 3,
      content_filters: [{ pattern: "secret", action: "block" }],
    },
  });
  await page.goto(`/guardrails/${original.id}`);
  await page.getByRole("link", { name: "Duplicate" }).click();
  await expect(box(page, "Name")).toHaveValue(`Copy of ${original.name}`);
  await page.getByRole("button", { name: "Create guardrail" }).click();
  await expect(page.getByRole("heading", { level: 1, name: `Copy of ${original.name}` })).toBeVisible();
  expect(idOf(page)).not.toBe(original.id);
  expect((await api.call(getGuardrail, { params: { id: idOf(page) } })).data).toMatchObject({
    allowed_models: ["sandbox/echo"],
    enforce_zdr: null,
    enforce_zdr_vendor_a: true,
    enforce_zdr_other: true,
    limit_usd: 3,
    content_filters: [{ pattern: "secret", action: "block" }],
  });
});
