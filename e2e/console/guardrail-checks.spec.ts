import type { Locator } from "@playwright/test";
import { getGuardrail } from "../../lib/records/guardrails/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { box, openEditor, openSection } from "./guardrail-page";

const modelOf = (judge: Locator) => judge.getByRole("combobox", { name: "Model" });
const SECRET = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;

test("fields of a new check or judge are required when they are submitted, not at once", async ({ page }) => {
  await openEditor(page, "/guardrails/new");
  const create = page.getByRole("button", { name: "Create guardrail" });
  await create.click();
  await expect(box(page, "Name").first()).toHaveAccessibleDescription(/is required/);
  await openSection(page, "External checks");
  await page.getByRole("button", { name: "Add check" }).click();
  await openSection(page, "Model judges");
  await page.getByRole("button", { name: "Add judge" }).click();
  const check = page.getByRole("group", { name: "External check 1" });
  const judge = page.getByRole("group", { name: "Model judge 1" });
  // Longer than the validation after adding a row.
  await page.waitForTimeout(1_000);
  const unused = [box(check, "URL"), modelOf(judge), box(judge, "Instructions")];
  for (const field of unused) await expect(field).toHaveAttribute("aria-invalid", "false");
  await expect(page.getByRole("region", { name: "Model judges" }).getByText(/error/)).toHaveCount(0);

  await box(check, "Name").fill("tone");
  await box(check, "Name").fill("");
  await expect(box(check, "Name"), "it was emptied").toHaveAttribute("aria-invalid", "true");
  for (const field of unused) await expect(field).toHaveAttribute("aria-invalid", "false");
  await create.click();
  for (const field of unused) await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(box(judge, "Instructions")).toHaveAccessibleDescription(/Instructions are required/);
});

test("external checks and model judges are added, keep their secret, and are removed", async ({ page, api }) => {
  await openEditor(page, "/guardrails/new");
  await box(page, "Name").first().fill(unique("Judged"));
  await openSection(page, "External checks");
  await page.getByRole("button", { name: "Add check" }).click();
  const check = page.getByRole("group", { name: "External check 1" });
  await box(check, "Name").fill("tone");
  await box(check, "URL").fill("not a URL");
  await page.getByRole("button", { name: "Create guardrail" }).click();
  await expect(box(check, "URL")).toHaveAttribute("aria-invalid", "true");
  await box(check, "URL").fill("https://checks.example.com/tone");
  await check.getByLabel("Secret").fill(SECRET);
  await check.getByRole("combobox", { name: "Scope" }).click();
  await page.getByRole("option", { name: "Both" }).click();
  await openSection(page, "Model judges");
  await page.getByRole("button", { name: "Add judge" }).click();
  const judge = page.getByRole("group", { name: "Model judge 1" });
  await box(judge, "Name").fill("legal");
  await expect(judge.locator("datalist option[value='sandbox/echo']"), "a model is suggested").toBeAttached();
  await modelOf(judge).fill("sandbox/echo");
  await box(judge, "Instructions").fill("Requests for legal advice about a concrete case");
  await page.getByRole("button", { name: "Create guardrail" }).click();
  await expect(page.getByText("Revision 1", { exact: true })).toBeVisible();

  await openSection(page, "External checks");
  await expect(check.getByText("Stored (hidden)")).toBeVisible();
  const id = page.url().split("/").at(-1) ?? "";
  const stored = async () => (await api.call(getGuardrail, { params: { id } })).data;
  expect(await stored()).toMatchObject({
    external_checks: [{ name: "tone", url: "https://checks.example.com/tone", scope: "both", has_secret: true }],
    judges: [{ name: "legal", model: "sandbox/echo", threshold: 0.5, action: "block" }],
  });
  await openSection(page, "Model judges");
  await page.getByRole("button", { name: "Remove judge 1" }).click();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Revision 2", { exact: true })).toBeVisible();
  expect(await stored()).toMatchObject({ external_checks: [{ has_secret: true }], judges: [] });
});
