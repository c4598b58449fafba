import { createGuardrail, getGuardrail, updateGuardrail } from "../../lib/records/guardrails/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { box, openEditor, openSection } from "./guardrail-page";

const TITLE = "This guardrail changed while you were editing";

test("a conflicting edit is merged field by field @journey", async ({ page, api }) => {
  const { data: guardrail } = await api.call(createGuardrail, {
    body: { name: unique("Shared"), description: "before", limit_usd: 1 },
  });
  const params = { id: guardrail.id };
  await openEditor(page, `/guardrails/${guardrail.id}`);
  await box(page, "Description").fill("mine");
  await openSection(page, "Zero data retention");
  await page.getByRole("switch", { name: "Models from OpenAI" }).click();
  await api.call(updateGuardrail, { params, body: { description: "theirs", limit_usd: 7 } });
  await page.getByRole("button", { name: "Save changes" }).click();

  const merge = page.getByRole("dialog", { name: TITLE });
  await expect(merge).toContainText("Revision 2");
  const description = merge.getByRole("group", { name: "Description" });
  await expect(description).toContainText("Changed by both");
  await expect(description).toContainText("before");
  await expect(description).toContainText("theirs");
  await expect(description).toContainText("mine");
  await expect(description.getByRole("radio", { name: "Yours" })).toBeChecked();
  await expect(merge.getByRole("group", { name: "Budget limit" }).getByRole("radio", { name: "Theirs" })).toBeChecked();
  await expect(
    merge.getByRole("group", { name: "Zero data retention: OpenAI" }).getByRole("radio", { name: "Yours" }),
  ).toBeChecked();
  expect((await api.call(getGuardrail, { params })).data, "nothing is saved without confirmation").toMatchObject({
    description: "theirs",
    revision: 2,
  });

  await description.getByRole("radio", { name: "Theirs" }).click();
  await merge.getByRole("button", { name: "Save as revision 3" }).click();
  await expect(page.getByText("Revision 3", { exact: true })).toBeVisible();
  expect((await api.call(getGuardrail, { params })).data).toMatchObject({
    description: "theirs",
    limit_usd: 7,
    enforce_zdr_vendor_b: true,
  });
  await expect(box(page, "Description")).toHaveValue("theirs");
});

test("closing the dialog keeps the input; their version can be taken without saving", async ({ page, api }) => {
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: unique("Shared") } });
  await openEditor(page, `/guardrails/${guardrail.id}`);
  await box(page, "Description").fill("mine");
  await api.call(updateGuardrail, { params: { id: guardrail.id }, body: { description: "theirs" } });
  await page.getByRole("button", { name: "Save changes" }).click();
  const merge = page.getByRole("dialog", { name: TITLE });
  await expect(merge).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(box(page, "Description")).toHaveValue("mine");
  await page.getByRole("button", { name: "Save changes" }).click();
  await merge.getByRole("radio", { name: "Theirs" }).click();
  await merge.getByRole("button", { name: "Continue with revision 2" }).click();
  await expect(box(page, "Description")).toHaveValue("theirs");
  await expect(page.getByRole("button", { name: "Save changes" })).toBeDisabled();
  expect((await api.call(getGuardrail, { params: { id: guardrail.id } })).data.revision).toBe(2);
});

test("another change during the merge asks again", async ({ page, api }) => {
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: unique("Busy") } });
  const params = { id: guardrail.id };
  await openEditor(page, `/guardrails/${guardrail.id}`);
  await box(page, "Description").fill("mine");
  await api.call(updateGuardrail, { params, body: { limit_usd: 2 } });
  await page.getByRole("button", { name: "Save changes" }).click();
  const merge = page.getByRole("dialog", { name: TITLE });
  await expect(merge).toContainText("Revision 2");
  await api.call(updateGuardrail, { params, body: { limit_usd: 3 } });
  await merge.getByRole("button", { name: "Save as revision 3" }).click();
  await expect(merge).toContainText("Revision 3");
  await merge.getByRole("button", { name: "Save as revision 4" }).click();
  await expect(page.getByText("Revision 4", { exact: true })).toBeVisible();
  expect((await api.call(getGuardrail, { params })).data).toMatchObject({ description: "mine", limit_usd: 3 });
});
