import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { UserContext } from "@/components/session/user-context";
import { PERMISSION_NAMES, type Permission } from "@/lib/platform/permissions";
import type { Group } from "@/lib/records/groups/contract";
import { GroupSheet, NewGroup } from "./group-sheet";

vi.mock("@/lib/browser/page-router", () => ({ usePageRouter: () => ({ push: vi.fn() }) }));

afterEach(() => vi.unstubAllGlobals());

const WORKSPACE = { id: "01980000-0000-7000-8000-000000000002", name: "Search" };
const GROUP: Group = {
  id: "01980000-0000-7000-8000-000000000001",
  name: "Leads",
  source: "scim",
  external_id: "7",
  claim_value: null,
  role: "org:analyst",
  role_name: "Analyst",
  workspace_roles: [],
  members: 1,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: null,
};
const ROLE = { id: "org:policy_editor", name: "Policy editor", description: null, permissions: [] };
const MEMBER = {
  id: "user_1",
  email: "ada@example.com",
  first_name: null,
  last_name: null,
  role: "org:member",
  tags: [],
  status: "active",
  created_at: GROUP.created_at,
};

interface Shown {
  group?: Partial<Group>;
  members?: number;
  permissions?: readonly Permission[];
}

function show(content: ReactNode, { group = {}, members = 1, permissions = PERMISSION_NAMES }: Shown = {}) {
  const all = Array.from({ length: members }, (_, at) => ({
    ...MEMBER,
    id: `user_${at + 1}`,
    email: `${at + 1}@example.com`,
  }));
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", (url: string, { method = "GET", body }: RequestInit) => {
    if (method !== "GET") sent.push([method, url, JSON.parse(typeof body === "string" ? body : "null") as unknown]);
    if (url.startsWith("/v1/workspaces")) return Promise.resolve(Response.json({ data: [WORKSPACE], total_count: 1 }));
    if (url.startsWith("/v1/organization/roles")) return Promise.resolve(Response.json({ data: [ROLE] }));
    if (url.includes("/members")) {
      const offset = Number(new URL(url, "http://box").searchParams.get("offset") ?? 0);
      return Promise.resolve(Response.json({ data: all.slice(offset, offset + 25), total_count: members }));
    }
    return Promise.resolve(Response.json({ data: { ...GROUP, ...group } }));
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <UserContext value={{ name: "Ada", permissions }}>{content}</UserContext>
    </QueryClientProvider>,
  );
  return { user: userEvent.setup(), sent };
}

it("creates a group with a role in a workspace", async () => {
  const onCreated = vi.fn();
  const { user, sent } = show(<NewGroup onClose={vi.fn()} onCreated={onCreated} />);
  const sheet = within(await screen.findByRole("dialog", { name: "New group" }));
  await user.type(sheet.getByLabelText("Name"), "Leads");
  const add = sheet.getByRole("button", { name: "Add workspace role" });
  await vi.waitFor(() => expect(add).toHaveProperty("disabled", false));
  await user.click(add);
  expect(sheet.getByRole("group", { name: "Workspace role 1" }).textContent).toContain("Search");
  await user.click(sheet.getByRole("button", { name: "Create group" }));
  await vi.waitFor(() => expect(onCreated).toHaveBeenCalledWith(GROUP.id));
  expect(sent).toEqual([
    [
      "POST",
      "/v1/organization/groups",
      {
        name: "Leads",
        role: null,
        claim_value: null,
        workspace_roles: [{ workspace_id: WORKSPACE.id, role: "org:policy_editor" }],
      },
    ],
  ]);
});

it("leaves name and members of a directory's group to the directory", async () => {
  show(<GroupSheet id={GROUP.id} onClose={vi.fn()} />);
  const sheet = within(await screen.findByRole("dialog", { name: "Leads" }));
  await sheet.findByRole("list", { name: "Members of Leads" });
  expect(sheet.getByText("The directory decides who is a member.")).toBeTruthy();
  expect(sheet.queryByLabelText("Name")).toBeNull();
  expect(sheet.queryByLabelText("Group claim")).toBeNull();
  expect(sheet.queryByRole("button", { name: /^Remove|Delete group/ })).toBeNull();
  expect(sheet.getByRole("combobox", { name: "Role for the organization" })).toBeTruthy();
});

it("removes a member of a later page", async () => {
  const { user, sent } = show(<GroupSheet id={GROUP.id} onClose={vi.fn()} />, {
    group: { source: "manual" },
    members: 26,
  });
  const sheet = within(await screen.findByRole("dialog", { name: "Leads" }));
  await user.click(await sheet.findByRole("button", { name: "Next" }));
  await user.click(await sheet.findByRole("button", { name: "Remove 26@example.com" }));
  await vi.waitFor(() =>
    expect(sent).toEqual([["POST", `/v1/organization/groups/${GROUP.id}/members/remove`, { user_ids: ["user_26"] }]]),
  );
  await sheet.findByRole("button", { name: "Remove 1@example.com" });
});

it("shows readers which roles the group gives", async () => {
  show(<GroupSheet id={GROUP.id} onClose={vi.fn()} />, {
    group: { workspace_roles: [{ workspace_id: WORKSPACE.id, role: "org:billing" }] },
    permissions: ["members:read", "workspaces:read"],
  });
  const sheet = within(await screen.findByRole("dialog", { name: "Leads" }));
  await sheet.findByText("org:billing in Search");
});
