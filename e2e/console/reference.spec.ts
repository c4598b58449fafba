import { operations } from "../../lib/operations";
import { expect, test } from "./console-test";
import { watch } from "./page-watch";

test("the API reference shows the operations without leaving the origin", async ({ page }) => {
  const complaints = watch(page);
  await page.goto("/");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "API reference" }).click();
  await expect(page).toHaveURL("/docs");
  await expect(page).toHaveTitle(/API reference/);
  for (const { summary } of operations.filter(({ tag }) => tag === "Guardrails")) {
    await expect(page.getByText(summary, { exact: true })).toBeVisible();
  }
  await page.getByRole("button", { name: /Create a guardrail/ }).first().click();
  await expect(page.getByRole("button", { name: "Execute" })).toBeVisible();
  expect(complaints()).toEqual([]);
});
