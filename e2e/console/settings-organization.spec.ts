import { createResponse } from "../../lib/gateway/contract";
import { getOrganization, updateOrganization } from "../../lib/records/organization/contract";
import type { Result } from "../../lib/platform/http/operation";
import { unique } from "../world";
import { attention, showItem } from "./attention";
import { expect, test } from "./console-test";

type OrganizationAnswer = Result<typeof getOrganization>;

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

test("an installation near the limits of its embedded database says so, and how to move", async ({
  page,
  api,
  world,
}) => {
  const { text } = await world.inferenceKey();
  const body = { model: "sandbox/echo", input: "Hello", max_output_tokens: 5 };
  await api.call(createResponse, { body }, { as: text });
  await page.route("**/v1/organization", async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as OrganizationAnswer;
    answer.data.database.limits = [{ name: "size_bytes", used: 1.7e9, limit: 2e9, level: "near" }];
    await route.fulfill({ response, json: answer });
  });
  await page.goto(`/?workspace=${world.workspaceId}`);
  const open = attention(page).getByRole("link", { name: /Open settings: The embedded/ });
  await showItem(page, open);
  await expect(attention(page)).toContainText("The embedded database is near its limit: database size1.7 GB of 2.0 GB");
  await open.click();
  const card = page.getByRole("region", { name: "Embedded database" });
  await expect(card.getByRole("group", { name: "Commands" })).toContainText("npm run restore -- --from ./backup");
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
