import { render, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { HeldPermissionsTable } from "./held-permissions";

const group = { id: "01980000-0000-7000-8000-000000000001", name: "Leads" };
const workspace = { id: "01980000-0000-7000-8000-000000000002", name: "Search" };

it("names the roles, groups and workspaces that give a permission", () => {
  render(
    <HeldPermissionsTable
      held={{
        subject: { type: "member", id: "user_1", name: "Ada" },
        permissions: [
          {
            permission: "guardrails:write",
            description: "Change guardrails",
            sources: [
              { role: "org:admin", role_name: "Admin", group: null, workspace },
              { role: "org:policy_editor", role_name: "Policy editor", group, workspace: null },
            ],
          },
          { permission: "audit:read", description: "Read the audit log", sources: [] },
        ],
      }}
      isLinked
    />,
  );
  const table = within(screen.getByRole("table", { name: "Permissions of Ada" }));
  expect(table.getByRole("link", { name: "Admin in Search" }).getAttribute("href")).toBe(
    "/members/roles?role=org%3Aadmin",
  );
  expect(table.getByRole("link", { name: "Policy editor, by group Leads" }).getAttribute("href")).toBe(
    `/members/groups?group=${group.id}`,
  );
  expect(table.getByText("Not permitted")).toBeTruthy();
});
