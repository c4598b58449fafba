import type { Page } from "@playwright/test";
import { createGuardrail, getGuardrail } from "../../lib/records/guardrails/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { box, filterOf, openEditor, openSection } from "./guardrail-page";

const patterns = (page: Page) => page.getByRole("region", { name: "Custom patterns" });

test("a pattern is validated while typing, with the error marked in the pattern", async ({ page }) => {
  await openEditor(page, "/guardrails/new");
  await box(page, "Name").fill(unique("Look-around"));
  await openSection(page, "Custom patterns");
  await page.getByRole("button", { name: "Add filter" }).click();
  const pattern = box(filterOf(page, 1), "Pattern");
  await expect(pattern, "a new filter's pattern is focused").toBeFocused();
  await pattern.fill("a(?=b)");
  await expect(pattern).toHaveAttribute("aria-invalid", "true");
  await expect(pattern).toHaveAccessibleDescription(
    "Lookahead isn't supported by the linear-time engine; rewrite without (?=…)",
  );
  await expect(patterns(page).getByText("1 error")).toBeVisible();
  await page.getByRole("button", { name: "Create guardrail" }).click();
  await expect(pattern).toBeFocused();
  await expect(page).toHaveURL(/\/guardrails\/new$/);

  await pattern.fill("a{600}");
  await expect(pattern).toHaveAccessibleDescription(/instructions; the maximum is 500/);
  await pattern.fill("ab");
  await expect(pattern).toHaveAttribute("aria-invalid", "false");
  await page.getByRole("button", { name: "Create guardrail" }).click();
  await expect(page.getByText("Revision 1", { exact: true })).toBeVisible();
});

test("a new filter's pattern is required on blur and on submit, not at once", async ({ page }) => {
  await openEditor(page, "/guardrails/new");
  const create = page.getByRole("button", { name: "Create guardrail" });
  await create.click();
  await expect(box(page, "Name")).toHaveAccessibleDescription(/is required/);
  await openSection(page, "Custom patterns");
  await page.getByRole("button", { name: "Add filter" }).click();
  const pattern = box(filterOf(page, 1), "Pattern");
  await expect(pattern).toBeFocused();
  // Longer than the validation after adding a row.
  await page.waitForTimeout(1_000);
  await expect(pattern).toHaveAttribute("aria-invalid", "false");
  await expect(patterns(page).getByText("1 error")).toHaveCount(0);

  await box(page, "Name").fill(unique("Later"));
  await expect(pattern, "the pattern was left empty").toHaveAccessibleDescription("Pattern is required");
  await expect(patterns(page).getByText("1 error")).toBeVisible();

  await page.getByRole("button", { name: "Add filter" }).click();
  const second = box(filterOf(page, 2), "Pattern");
  await expect(second).toBeFocused();
  await page.waitForTimeout(1_000);
  await expect(second).toHaveAttribute("aria-invalid", "false");
  await expect(pattern).toHaveAttribute("aria-invalid", "true");
  await create.click();
  await expect(second).toHaveAccessibleDescription("Pattern is required");
});

test("filters are reordered by buttons that keep focus; a removed one can be restored", async ({ page, api }) => {
  const content_filters = ["one", "two", "three"].map((pattern) => ({ pattern, action: "flag" as const }));
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: unique("Ordered"), content_filters } });
  const patterns = async () =>
    (await api.call(getGuardrail, { params: { id: guardrail.id } })).data.content_filters?.map(
      ({ pattern }) => pattern,
    );
  await openEditor(page, `/guardrails/${guardrail.id}`);
  await openSection(page, "Custom patterns");
  await expect(box(filterOf(page, 3), "Pattern")).toHaveText("three");
  await expect(page.getByRole("button", { name: "Move filter 1 up" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Move filter 3 down" })).toBeDisabled();

  await page.getByRole("button", { name: "Move filter 3 up" }).press("Enter");
  await expect(box(filterOf(page, 2), "Pattern")).toHaveText("three");
  await expect(page.getByRole("button", { name: "Move filter 2 up" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(box(filterOf(page, 1), "Pattern")).toHaveText("three");
  await expect(page.getByRole("button", { name: "Move filter 1 down" })).toBeFocused();

  await page.getByRole("button", { name: "Remove filter 2" }).click();
  await expect(filterOf(page, 3)).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(box(filterOf(page, 2), "Pattern")).toHaveText("one");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Revision 2", { exact: true })).toBeVisible();
  expect(await patterns()).toEqual(["three", "one", "two"]);
});
