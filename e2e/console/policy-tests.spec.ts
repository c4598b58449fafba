import { getGuardrail } from "../../lib/records/guardrails/contract";
import { createPolicyTest, listPolicyTests, updatePolicyTests } from "../../lib/features/policy-tests/contract";
import { expect, test } from "./console-test";
import { act, ask, guardedKey } from "./generation-log";
import { openTool } from "./guardrail-page";

const EMAIL = [{ slug: "email", action: "redact" } as const];
const REDACTS = {
  name: "Addresses never leave",
  request: { model: "sandbox/echo", input: "Write to ada@example.com" },
  expected: { outcome: "redacted", field: "content_filter_builtins", rule: "email" },
} as const;

test("tests run on every edit, and failed required ones prevent saving @journey", async ({ page, api, world }) => {
  const { id } = await world.guardrail({ content_filter_builtins: EMAIL });
  await api.call(createPolicyTest, { params: { id }, body: REDACTS });
  await page.goto(`/guardrails/${id}?tool=tests`);
  const panel = page.getByRole("region", { name: "Tests" });
  const result = panel.getByRole("status", { name: "Test results" });
  await expect(result).toHaveText("Test passed");
  await panel.getByRole("switch", { name: "Required to save" }).click();
  await expect.poll(async () => (await api.call(listPolicyTests, { params: { id } })).tests_required).toBe(true);

  await page.getByRole("radiogroup", { name: "Email addresses" }).getByRole("radio", { name: "Block" }).click();
  await expect(result).toHaveText("1 of 1 failed");
  await expect(panel.getByRole("listitem")).toContainText("expected redacted, was blocked");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Addresses never leave" })).toContainText("would fail");
  expect((await api.call(getGuardrail, { params: { id } })).data.revision).toBe(1);

  await panel.getByRole("button", { name: "Addresses never leave", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Edit policy test" });
  await expect(dialog.getByRole("textbox", { name: "Prompt" })).toHaveValue("Write to ada@example.com");
  await dialog.getByRole("combobox", { name: "Expected outcome" }).click();
  await page.getByRole("option", { name: "Blocked" }).click();
  await dialog.getByRole("button", { name: "Save test" }).click();
  await expect(result).toHaveText("Test passed");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Revision 2", { exact: true })).toBeVisible();
});

test("a tried prompt is saved as a test and deleted", async ({ page, api, world }) => {
  const { id } = await world.guardrail({ content_filter_builtins: EMAIL });
  await page.goto(`/guardrails/${id}?tool=try`);
  const tryIt = page.getByRole("region", { name: "Try it" });
  await tryIt.getByRole("textbox", { name: "Prompt" }).fill("Write to ada@example.com");
  await tryIt
    .getByRole("textbox", { name: "Model" })
    .or(tryIt.getByRole("combobox", { name: "Model" }))
    .fill("sandbox/echo");
  await tryIt.getByRole("button", { name: "Check prompt" }).click();
  await tryIt.getByRole("button", { name: "Save as test…" }).click();
  const dialog = page.getByRole("dialog", { name: "New policy test" });
  await expect(dialog.getByRole("combobox", { name: "Expected outcome" })).toHaveText("Redacted");
  const suggested = dialog.getByRole("textbox", { name: "Name" });
  await expect(suggested).toHaveValue("Redacted by Email addresses: “Write to …”");
  await suggested.fill("");
  await dialog.getByRole("button", { name: "Add test" }).click();
  await expect(dialog.getByText("Name is required")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Name" }).fill("As tried");
  await dialog.getByRole("button", { name: "Add test" }).click();
  await openTool(page, "Tests");
  const panel = page.getByRole("region", { name: "Tests" });
  await expect(
    panel.getByRole("listitem").filter({ hasText: "As tried" }).getByRole("img", { name: "Passed" }),
  ).toBeVisible();
  expect((await api.call(listPolicyTests, { params: { id } })).data).toMatchObject([
    {
      name: "As tried",
      request: { model: "sandbox/echo", input: "Write to ada@example.com" },
      expected: { outcome: "redacted", rule: "email" },
    },
  ]);
  await panel.getByRole("button", { name: "Delete test As tried" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete test" }).click();
  await expect(panel).toContainText("No tests yet");
});

test("a false positive is turned into a test that expects it to be allowed", async ({ page, api, world }) => {
  const { key, guardrail } = await guardedKey(api, world, {
    content_filters: [{ pattern: "invoice", label: "[INVOICE]", action: "block" }],
  });
  await page.goto(`/generations/${await ask(api, key, { input: "Where is my invoice?" })}`);
  await act(page, "Create policy test…");
  const dialog = page.getByRole("dialog", { name: "New policy test" });
  await expect(dialog).toContainText("Replace the labels with the original text, or reveal the content first.");
  await expect(dialog.getByRole("combobox", { name: "Expected outcome" })).toHaveText("Allowed unchanged");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Customers may ask for invoices");
  await dialog.getByRole("textbox", { name: "Prompt" }).fill("Where is my invoice?");
  await dialog.getByRole("button", { name: "Add test" }).click();
  await expect(page.getByText("Test “Customers may ask for invoices” saved")).toBeVisible();
  await api.call(updatePolicyTests, { params: { id: guardrail.id }, body: { tests_required: false } });
  await page.goto(`/guardrails/${guardrail.id}?tool=tests`);
  await expect(page.getByRole("region", { name: "Tests" }).getByRole("listitem")).toContainText(
    "expected allowed, was blocked",
  );
});
