import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { UserContext } from "@/components/session/user-context";
import { PERMISSION_NAMES, type Permission } from "@/lib/platform/permissions";
import type { Member } from "@/lib/records/members/contract";
import { EditMemberForm } from "./edit-member-form";
import { InviteDialog } from "./invite-dialog";

vi.mock("@/lib/browser/page-router", () => ({ usePageRouter: () => ({ push: vi.fn() }) }));

afterEach(() => vi.unstubAllGlobals());

const MEMBER: Member = {
  id: "user_1",
  email: "ada@example.com",
  first_name: "Ada",
  last_name: null,
  role: "org:member",
  role_name: "Developer",
  workspace_roles: [],
  groups: [],
  tags: [],
  status: "active",
  external_id: null,
  is_provisioned: false,
  guardrails: [],
  active_keys: 0,
  totp_enabled: false,
  passkeys: 0,
  open_sessions: 0,
  created_at: "2026-01-01T00:00:00.000Z",
};

const show = (content: React.ReactNode, permissions: readonly Permission[]) => {
  vi.stubGlobal(
    "fetch",
    vi.fn(() => Promise.resolve(Response.json({ error: { code: 404, message: "Not found" } }, { status: 404 }))),
  );
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <UserContext value={{ name: "Grace", permissions }}>{content}</UserContext>
    </QueryClientProvider>,
  );
};

const ADMIN = PERMISSION_NAMES.filter((permission) => permission !== "sign_in:write");

it.each<[string, readonly Permission[], Member["role"], boolean]>([
  ["with roles:write", ADMIN, "org:member", true],
  ["without roles:write", ADMIN.filter((permission) => permission !== "roles:write"), "org:member", false],
  ["of a member who may do more", ADMIN, "org:owner", false],
])("offers the roles %s", (_, permissions, role, isOffered) => {
  show(<EditMemberForm member={{ ...MEMBER, role }} />, permissions);
  expect(screen.getByLabelText("First name")).toBeDefined();
  expect(screen.queryByRole("combobox", { name: "Role" }) !== null).toBe(isOffered);
  expect(screen.queryByRole("button", { name: "Add workspace role" }) !== null).toBe(isOffered);
});

it.each([
  [ADMIN, true],
  [["members:write"] as const, false],
])("an invitation offers the role only with roles:write", (permissions, isOffered) => {
  show(<InviteDialog onClose={vi.fn()} />, permissions);
  expect(screen.queryByRole("combobox", { name: "Role" }) !== null).toBe(isOffered);
});
