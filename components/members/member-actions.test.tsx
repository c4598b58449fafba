import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { rolesQuery } from "@/components/roles/role-queries";
import { sessionQuery } from "@/components/session/session-queries";
import { UserContext } from "@/components/session/user-context";
import { PERMISSION_NAMES, type Permission } from "@/lib/platform/permissions";
import type { Member } from "@/lib/records/members/contract";
import type { Role } from "@/lib/records/roles/contract";
import type { Session } from "@/lib/records/session/contract";
import { MemberActions } from "./member-actions";

vi.mock("@/lib/browser/page-router", () => ({ usePageRouter: () => ({ push: vi.fn() }) }));

const GRACE: Partial<Member> = {
  id: "user_grace",
  email: "grace@example.com",
  status: "active",
  guardrails: [],
  active_keys: 0,
  open_sessions: 0,
  passkeys: 0,
};

function show(
  password_sign_in: Session["password_sign_in"],
  member: Partial<Member> = GRACE,
  permissions: readonly Permission[] = PERMISSION_NAMES,
) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(sessionQuery.queryKey, { data: { password_sign_in } as Session });
  const owner = { id: "org:owner", name: "Owner", description: null, permissions: [...PERMISSION_NAMES] } as Role;
  client.setQueryData(rolesQuery.queryKey, { data: [owner] });
  render(
    <QueryClientProvider client={client}>
      <UserContext value={{ name: "Ada", permissions }}>
        <MemberActions member={member as Member} isSelf={false} />
      </UserContext>
    </QueryClientProvider>,
  );
  return screen.queryByRole("button", { name: "Reset password…" });
}

it("resets a password", () => expect(show("allowed")).not.toBeNull());

it("doesn't offer to reset a password while passwords are off", () => expect(show("break_glass_only")).toBeNull());

it("offers no change of the access of a member whose role exceeds the user's", () => {
  show("allowed", { ...GRACE, role: "org:owner", totp_enabled: true }, ["members:read", "members:write"]);
  expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual([
    "Sign out everywhere…",
    "Hand over…",
  ]);
});
