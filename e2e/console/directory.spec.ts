import * as scim from "../../lib/records/scim/contract";
import { listScimTokens } from "../../lib/records/scim-tokens/contract";
import * as okta from "../../lib/testing/okta-requests";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { expectAccessible } from "./page-checks";

test("a directory is connected, deactivates a member, and what they own is handed over", async ({
  page,
  api,
  world,
  serverUrl,
}) => {
  const name = unique("Okta");
  await page.goto("/settings?tab=directory");
  await expect(page.getByRole("group", { name: "Base URL" })).toHaveText(`${serverUrl}/v1/scim/v2`);
  const tokens = page.getByRole("region", { name: "Tokens" });
  await tokens.getByRole("button", { name: "New token…" }).click();
  const dialog = page.getByRole("dialog", { name: "New SCIM token" });
  await dialog.getByRole("button", { name: "Create token" }).click();
  const field = dialog.getByRole("textbox", { name: "Name" });
  await expect(field).toHaveAccessibleDescription(/Name is required/);
  await field.fill(name);
  await expectAccessible(page, "new SCIM token");
  await dialog.getByRole("button", { name: "Create token" }).click();
  const created = page.getByRole("dialog", { name: `“${name}” created` });
  const token = await created.getByRole("textbox", { name: "Token" }).inputValue();
  expect(token).toMatch(/^sb-scim-v1-/);
  await expectAccessible(page, "created SCIM token");
  await page.keyboard.press("Escape");
  await created.getByRole("button", { name: "I have stored it" }).click();
  const item = tokens.getByRole("listitem").filter({ hasText: name });
  await expect(item).toContainText("Never used");

  const directory = api.as(token);
  const userName = `${unique("grace")}@example.com`;
  const { id } = await directory.call(scim.createUser, { body: okta.createUser(userName) });
  const key = await world.inferenceKey({ creator_user_id: id });
  await directory.call(scim.patchUser, { params: { id }, body: okta.deactivate });
  await page.reload();
  await expect(item).toContainText("Used ");
  await page.getByRole("link", { name: /members?$/ }).click();
  const row = page.getByRole("table", { name: "Members" }).getByRole("row").filter({ hasText: userName });
  await expect(row).toContainText("Deactivated");
  await row.getByRole("link", { name: "Test User" }).click();
  const facts = page.getByRole("region", { name: "Member" });
  await expect(facts).toContainText("Directory");

  await page.getByRole("button", { name: "Reactivate…" }).click();
  const question = page.getByRole("alertdialog", { name: "Reactivate Test User?" });
  await question.getByRole("button", { name: "Reactivate member" }).click();
  await expect(question).toContainText("The directory decides whether");
  await expectAccessible(page, "refused reactivation");
  await question.getByRole("button", { name: "Cancel" }).click();

  await page.getByRole("button", { name: "Hand over…" }).click();
  const handOver = page.getByRole("dialog", { name: "Hand over what Test User owns" });
  const { email } = await world.member();
  await handOver.getByRole("combobox", { name: "New owner" }).fill(email);
  await page.getByRole("option", { name: new RegExp(email) }).click();
  await expectAccessible(page, "hand over");
  await handOver.getByRole("button", { name: "Hand over" }).click();
  await expect(page.getByText("1 key and 0 saved views handed over")).toBeVisible();
  await page.goto(`/keys/${key.hash}`);
  await expect(page.getByRole("main")).toContainText(email);

  await page.goto("/settings?tab=directory");
  await tokens.getByRole("button", { name: `Delete ${name}…` }).click();
  const deletion = page.getByRole("alertdialog", { name: `Delete “${name}”?` });
  await deletion.getByRole("button", { name: "Delete token" }).click();
  await expect(deletion).toBeHidden();
  await expect(item).toHaveCount(0);
  expect((await api.call(listScimTokens)).data.map((one) => one.name)).not.toContain(name);
});

test("a member is deactivated and reactivated by hand", async ({ page, world }) => {
  const { id } = await world.member({ first_name: "Ada", last_name: unique("Lovelace") });
  await page.goto(`/members/${id}`);
  const heading = page.getByRole("heading", { level: 1 });
  const name = await heading.textContent();
  await page.getByRole("button", { name: "Deactivate…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Deactivate member" }).click();
  await expect(page.getByText(`${name} deactivated`)).toBeVisible();
  await expect(page.getByRole("button", { name: "New invitation link…" })).toHaveCount(0);
  await page.getByRole("button", { name: "Reactivate…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Reactivate member" }).click();
  await expect(page.getByText(`${name} reactivated`)).toBeVisible();
  await expect(page.getByRole("button", { name: "New invitation link…" })).toBeVisible();
});
