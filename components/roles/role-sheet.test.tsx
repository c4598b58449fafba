import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { UserContext } from "@/components/session/user-context";
import { PERMISSION_NAMES, type Permission } from "@/lib/platform/permissions";
import type { Role } from "@/lib/records/roles/contract";
import { NewRole, RoleSheet, UnknownRole } from "./role-sheet";

vi.mock("@/lib/browser/page-router", () => ({ usePageRouter: () => ({ push: vi.fn() }) }));

afterEach(() => vi.unstubAllGlobals());

const ROLE: Role = {
  id: "01980000-0000-7000-8000-000000000001",
  name: "Dashboard",
  description: null,
  permissions: ["analytics:read"],
  is_built_in: false,
  holders: 0,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: null,
};

function show(content: ReactNode, permissions: readonly Permission[]) {
  const fetch = vi.fn((_url: string, _request: RequestInit) => Promise.resolve(Response.json({ data: ROLE })));
  vi.stubGlobal("fetch", fetch);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <UserContext value={{ name: "Ada", permissions }}>{content}</UserContext>
    </QueryClientProvider>,
  );
  const sent = () =>
    fetch.mock.calls.map(([url, { method, body }]) => [
      method,
      url,
      JSON.parse(typeof body === "string" ? body : "null") as unknown,
    ]);
  return { user: userEvent.setup(), sent };
}

it("creates a role with permissions that the user has", async () => {
  const onClose = vi.fn();
  const { user, sent } = show(<NewRole onClose={onClose} />, ["roles:write", "analytics:read", "budgets:read"]);
  const sheet = within(await screen.findByRole("dialog", { name: "New role" }));
  expect(sheet.getByRole("checkbox", { name: "audit:read" })).toHaveProperty("disabled", true);
  await user.type(sheet.getByLabelText("Name"), "Dashboard");
  await user.click(sheet.getByRole("checkbox", { name: "budgets:read" }));
  await user.click(sheet.getByRole("checkbox", { name: "analytics:read" }));
  await user.click(sheet.getByRole("button", { name: "Create role" }));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(sent()[0]).toEqual([
    "POST",
    "/v1/organization/roles",
    { name: "Dashboard", description: null, permissions: ["budgets:read", "analytics:read"] },
  ]);
});

it("sends only the changed fields of a custom role", async () => {
  const { user, sent } = show(<RoleSheet role={ROLE} onClose={vi.fn()} />, PERMISSION_NAMES);
  const sheet = within(await screen.findByRole("dialog", { name: "Dashboard" }));
  expect(sheet.getByRole("button", { name: "Save changes" })).toHaveProperty("disabled", true);
  await user.click(sheet.getByRole("checkbox", { name: "analytics:read" }));
  await user.click(sheet.getByRole("button", { name: "Save changes" }));
  await vi.waitFor(() =>
    expect(sent()[0]).toEqual(["PATCH", `/v1/organization/roles/${ROLE.id}`, { permissions: [] }]),
  );
});

it("shows a built-in role without actions", async () => {
  show(<RoleSheet role={{ ...ROLE, is_built_in: true }} onClose={vi.fn()} />, PERMISSION_NAMES);
  const sheet = within(await screen.findByRole("dialog", { name: "Dashboard" }));
  expect(sheet.queryByRole("button", { name: /Save|Delete/ })).toBeNull();
  expect(sheet.getByRole("checkbox", { name: "analytics:read" })).toHaveProperty("disabled", true);
});

it("shows a role with a permission that the user lacks without actions", async () => {
  show(<RoleSheet role={ROLE} onClose={vi.fn()} />, ["roles:write"]);
  const sheet = within(await screen.findByRole("dialog", { name: "Dashboard" }));
  expect(sheet.queryByRole("button", { name: /Save|Delete/ })).toBeNull();
  expect(sheet.getByText(/every permission of the role/)).toBeDefined();
});

it("says when a role isn't found", async () => {
  show(<UnknownRole onClose={vi.fn()} />, []);
  expect(
    within(await screen.findByRole("dialog", { name: "Role" })).getByText(/Couldn’t find this role/),
  ).toBeDefined();
});
