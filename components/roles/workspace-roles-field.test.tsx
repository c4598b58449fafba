import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useForm } from "react-hook-form";
import { afterEach, expect, it, vi } from "vitest";
import { UserContext } from "@/components/session/user-context";
import { workspacesQuery } from "@/components/workspaces/workspace-queries";
import { PERMISSION_NAMES, type Permission } from "@/lib/platform/permissions";
import type { WorkspaceRole } from "@/lib/records/roles/contract";
import { BUILT_IN_ROLES } from "@/lib/records/roles/vocabulary";
import type { WorkspaceResponse } from "@/lib/records/workspaces/contract";
import { WorkspaceRolesField } from "./workspace-roles-field";

afterEach(() => vi.unstubAllGlobals());

const Field = () => {
  const { control } = useForm<{ workspace_roles: WorkspaceRole[] }>({ defaultValues: { workspace_roles: [] } });
  return <WorkspaceRolesField control={control} name="workspace_roles" />;
};

function show(permissions: readonly Permission[]) {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const workspace = { id: "01980000-0000-7000-8000-000000000002", name: "Search" } as WorkspaceResponse;
  client.setQueryData(workspacesQuery.queryKey, { data: [workspace], total_count: 1 });
  render(
    <QueryClientProvider client={client}>
      <UserContext value={{ name: "Ada", permissions: ["workspaces:read", ...permissions] }}>
        <Field />
      </UserContext>
    </QueryClientProvider>,
  );
  return screen.getByRole("button", { name: "Add workspace role" });
}

it.each<[string, readonly Permission[]]>([
  ["Policy editor", PERMISSION_NAMES],
  ["Developer", BUILT_IN_ROLES["org:analyst"].permissions],
])("adds a role that the user may give: %s", async (name, permissions) => {
  await userEvent.setup().click(show(permissions));
  expect(screen.getByRole("combobox", { name: "Role" }).textContent).toContain(name);
});

it("adds none if the user may give no role", () => expect(show([])).toHaveProperty("disabled", true));
