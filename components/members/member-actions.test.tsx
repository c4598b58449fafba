import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { sessionQuery } from "@/components/session/session-queries";
import { UserContext } from "@/components/session/user-context";
import { PERMISSION_NAMES } from "@/lib/platform/permissions";
import type { Member } from "@/lib/records/members/contract";
import type { Session } from "@/lib/records/session/contract";
import { MemberActions } from "./member-actions";

vi.mock("@/lib/browser/page-router", () => ({ usePageRouter: () => ({ push: vi.fn() }) }));

const GRACE = {
  id: "user_grace",
  email: "grace@example.com",
  status: "active",
  guardrails: [] as Member["guardrails"],
  active_keys: 0,
  open_sessions: 0,
  passkeys: 0,
};

function show(password_sign_in: Session["password_sign_in"]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(sessionQuery.queryKey, { data: { password_sign_in } as Session });
  render(
    <QueryClientProvider client={client}>
      <UserContext value={{ name: "Ada", permissions: PERMISSION_NAMES }}>
        <MemberActions member={GRACE as Member} isSelf={false} />
      </UserContext>
    </QueryClientProvider>,
  );
  return screen.queryByRole("button", { name: "Reset password…" });
}

it("resets a password", () => expect(show("allowed")).not.toBeNull());

it("doesn't offer to reset a password while passwords are off", () => expect(show("break_glass_only")).toBeNull());
