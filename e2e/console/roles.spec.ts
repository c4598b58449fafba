import { listAuditEvents } from "../../lib/platform/audit/contract";
import { listGroupMembers } from "../../lib/records/groups/contract";
import { listRoles } from "../../lib/records/roles/contract";
import { getWorkspace } from "../../lib/records/workspaces/contract";
import { unique } from "../world";
import { createPerson, expect, signIn, test } from "./console-test";

test("a role is created, given to a group, and explains what its members may do", async ({
  page,
  api,
  browser,
  serverUrl,
}) => {
  const person = await createPerson(api);
  const [roleName, groupName] = [unique("Policy reader"), unique("Readers")];

  await page.goto("/members/roles");
  await page.getByRole("button", { name: "New role" }).click();
  const newRole = page.getByRole("dialog", { name: "New role" });
  await newRole.getByLabel("Name").fill(roleName);
  await newRole.getByRole("checkbox", { name: "guardrails:read" }).check();
  await newRole.getByRole("checkbox", { name: "workspaces:read" }).check();
  await newRole.getByRole("button", { name: "Create role" }).click();
  const row = page.getByRole("table", { name: "Roles" }).getByRole("row").filter({ hasText: roleName });
  await expect(row).toContainText("Custom");

  await page.getByRole("navigation", { name: "Members and roles" }).getByRole("link", { name: "Groups" }).click();
  await page.getByRole("button", { name: "New group" }).first().click();
  const newGroup = page.getByRole("dialog", { name: "New group" });
  await newGroup.getByLabel("Name").fill(groupName);
  await newGroup.getByRole("combobox", { name: "Role for the organization" }).click();
  await page.getByRole("option", { name: roleName }).click();
  await newGroup.getByRole("button", { name: "Create group" }).click();
  const group = page.getByRole("dialog", { name: groupName });
  await group.getByRole("combobox", { name: "Add member" }).fill(person.email);
  await page.getByRole("option", { name: person.email }).click();
  await expect(group.getByRole("list", { name: `Members of ${groupName}` })).toContainText(person.email);
  const id = new URL(page.url()).searchParams.get("group") ?? "";
  expect((await api.call(listGroupMembers, { params: { id } })).data.map((member) => member.id)).toEqual([person.id]);

  await page.goto(`/members/permissions?member=${person.id}`);
  const permissions = page.getByRole("table", { name: /^Permissions of/ });
  await expect(permissions.getByRole("row").filter({ hasText: "guardrails:read" })).toContainText(
    `${roleName}, by group ${groupName}`,
  );
  await expect(permissions.getByRole("row").filter({ hasText: "guardrails:write" })).toContainText("Not permitted");

  const context = await browser.newContext({ storageState: await signIn(serverUrl, person) });
  const theirs = await context.newPage();
  await theirs.goto("/guardrails");
  await expect(theirs.getByRole("heading", { level: 1, name: "Guardrails" })).toBeVisible();
  await expect(theirs.getByRole("link", { name: "New guardrail" })).toHaveCount(0);
  await expect(theirs.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Members" })).toHaveCount(0);
  await theirs.goto("/providers");
  await expect(theirs.getByRole("main").getByRole("alert")).toContainText("It requires the permission providers:read");
  await theirs.goto("/account");
  await expect(theirs.getByRole("region", { name: "Your permissions" })).toContainText(`by group ${groupName}`);
  await context.close();
});

test("a role in use is not deleted, and the reason is shown", async ({ page, api }) => {
  const name = unique("In use");
  await page.goto("/members/roles?new=true");
  const dialog = page.getByRole("dialog", { name: "New role" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Create role" }).click();
  await expect(page.getByRole("table", { name: "Roles" })).toContainText(name);
  const { id = "" } = (await api.call(listRoles, {})).data.find((role) => role.name === name) ?? {};
  await createPerson(api, id);
  await page.goto(`/members/roles?role=${id}`);
  const sheet = page.getByRole("dialog", { name });
  await sheet.getByRole("button", { name: "Delete role…" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("button", { name: "Delete role" }).click();
  await expect(question.getByRole("alert")).toContainText("The role is in use (1 member");
});

test("a member gets a role in one workspace", async ({ page, api, world, browser, serverUrl }) => {
  const person = await createPerson(api);
  const guardrail = await world.guardrail();
  const { data: workspace } = await api.call(getWorkspace, { params: { id: world.workspaceId } });
  await page.goto(`/members/${person.id}`);
  const settings = page.getByRole("form", { name: "Settings" });
  await settings.getByRole("button", { name: "Add workspace role" }).click();
  const row = settings.getByRole("group", { name: "Workspace role 1" });
  await row.getByRole("combobox", { name: "Workspace" }).click();
  await page.getByRole("option", { name: workspace.name }).click();
  await settings.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("saved")).toBeVisible();
  const context = await browser.newContext({ storageState: await signIn(serverUrl, person) });
  const theirs = await context.newPage();
  await theirs.goto(`/guardrails/${guardrail.id}`);
  await expect(theirs.getByRole("heading", { level: 1, name: guardrail.name })).toBeVisible();
  await theirs.goto("/");
  await expect(theirs.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await theirs.goto("/settings?tab=code");
  await expect(theirs.getByText("You don't have access to the organization's policy")).toBeVisible();
  await theirs.waitForLoadState("networkidle");
  const denied = await api.call(listAuditEvents, { query: { actor_id: person.id, action: "access.deny" } });
  expect(denied.data.map(({ target, after }) => [target.id, after])).toEqual([]);
  await context.close();
});
