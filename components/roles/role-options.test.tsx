import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { UserContext, type SignedInUser } from "@/components/session/user-context";
import { BUILT_IN_ROLES } from "@/lib/records/roles/vocabulary";
import { useRoleOptions } from "./role-queries";

const given = (user: SignedInUser, of: "organization" | "workspace") =>
  renderHook(() => useRoleOptions(of), {
    wrapper: ({ children }) => (
      <QueryClientProvider client={new QueryClient()}>
        <UserContext value={user}>{children}</UserContext>
      </QueryClientProvider>
    ),
  })
    .result.current.filter(({ isDisabled }) => !isDisabled)
    .map(({ name }) => name);

const { permissions } = BUILT_IN_ROLES["org:policy_editor"];

it("offers the roles whose permissions the user has, for the organization or a workspace", () => {
  const editor = { name: "Ada", permissions: permissions.filter((permission) => permission !== "members:read") };
  expect(given(editor, "organization")).toEqual(["Analyst", "Billing"]);
  expect(given(editor, "workspace")).toEqual(["Policy editor", "Developer", "Analyst", "Billing"]);
  expect(given({ ...editor, onlyInWorkspaces: ["analytics:read"] }, "organization")).toEqual([]);
});
