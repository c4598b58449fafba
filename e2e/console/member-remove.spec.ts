import { getKey } from "../../lib/records/keys/contract";
import { deleteMember, getMember } from "../../lib/records/members/contract";
import { expect, test } from "./console-test";

test("removing a member lists the effects and disables their keys", async ({ page, api, world }) => {
  const member = await world.member();
  const key = await world.inferenceKey({ creator_user_id: member.id });
  await page.goto(`/members/${member.id}`);
  await expect(page.getByRole("table", { name: "Keys" })).toContainText(key.name);
  await page.getByRole("button", { name: "Remove…" }).click();
  const dialog = page.getByRole("alertdialog", { name: `Remove ${member.email}?` });
  await expect(dialog).toContainText("1 key will be disabled");
  await expect(dialog.getByRole("button", { name: "Remove member" })).toBeDisabled();
  await dialog.getByRole("textbox").fill(member.email);
  await dialog.getByRole("button", { name: "Remove member" }).click();
  await expect(page).toHaveURL(/\/members$/);
  await api.refuse(getMember, 404, { params: { user_id: member.id } });
  expect((await api.call(getKey, { params: { hash: key.hash } })).data.disabled).toBe(true);
});

test("the last owner can be neither removed nor demoted, with an explanation", async ({ page, world }) => {
  const member = await world.member({ role: "org:admin" });
  // The only owner is the installation's own, so the real response for the last one is covered by service tests.
  const message = "The last owner can't be removed or demoted. Make another member an owner first";
  const refusals = {
    DELETE: { error: { code: 409, message } },
    PATCH: { error: { code: 409, message, metadata: { issues: [{ path: ["role"], message }] } } },
  };
  await page.goto(`/members/${member.id}`);
  await page.route(`**/v1/organization/members/${member.id}`, (route) => {
    const method = route.request().method();
    return method === "DELETE" || method === "PATCH"
      ? route.fulfill({ status: 409, json: refusals[method] })
      : route.continue();
  });

  await page.getByRole("button", { name: "Remove…" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("textbox").fill(member.email);
  await dialog.getByRole("button", { name: "Remove member" }).click();
  await expect(dialog.getByRole("alert")).toContainText(message);
  await dialog.getByRole("button", { name: "Cancel" }).click();

  const settings = page.getByRole("form", { name: "Settings" });
  await settings.getByRole("combobox", { name: "Role" }).click();
  await page.getByRole("option", { name: /^Developer/ }).click();
  await settings.getByRole("button", { name: "Save changes" }).click();
  await expect(settings.getByRole("combobox", { name: "Role" })).toHaveAccessibleDescription(new RegExp(message));
});

test("a removed member is not found", async ({ page, api, world }) => {
  const member = await world.member();
  await api.call(deleteMember, { params: { user_id: member.id } });
  await page.goto(`/members/${member.id}`);
  await expect(page.getByRole("alert").filter({ hasText: "Not found" })).toBeVisible();
});
