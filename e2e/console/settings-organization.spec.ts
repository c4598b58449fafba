import { getOrganization, updateOrganization } from "../../lib/records/organization/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";

test("the organization is renamed; an empty name is rejected on its field", async ({ page, api }) => {
  const { name: before } = (await api.call(getOrganization)).data;
  const name = unique("Acme");
  await page.goto("/settings");
  const form = page.getByRole("form", { name: "Organization" });
  await form.getByRole("textbox", { name: "Name" }).fill(" ");
  await form.getByRole("button", { name: "Rename" }).click();
  await expect(form.getByRole("textbox", { name: "Name" })).toHaveAccessibleDescription(/is required/);
  await form.getByRole("textbox", { name: "Name" }).fill(name);
  await form.getByRole("button", { name: "Rename" }).click();
  await expect(page.getByText("Organization renamed")).toBeVisible();
  await api.call(updateOrganization, { body: { name: before } });
});

test("limits show their values and environment variables", async ({ page, api }) => {
  const { limits } = (await api.call(getOrganization)).data;
  await page.goto("/settings");
  await page.getByRole("tab", { name: "Limits" }).click();
  await expect(page).toHaveURL(/tab=limits/);
  const table = page.getByRole("table", { name: "Limits" });
  await expect(table.getByRole("row")).toHaveCount(1 + Object.keys(limits).length);
  await expect(table.getByRole("row").filter({ hasText: "SIGNALBOX_MAX_BODY_BYTES" })).toContainText(
    `${limits.max_body_bytes / 1024 ** 2} MiB`,
  );
});
