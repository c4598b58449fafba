import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { memberQuery } from "@/components/members/member-queries";
import { UserContext } from "@/components/session/user-context";
import { toast } from "@/components/ui/toast";
import type { Permission } from "@/lib/platform/permissions";
import { IdentitiesCard } from "./identities-card";

vi.mock("@/components/ui/toast", () => ({ toast: { success: vi.fn() } }));

afterEach(() => vi.unstubAllGlobals());

const IDENTITY = {
  connection_id: "01980000-0000-7000-8000-000000000001",
  connection_name: "Okta",
  subject: "1",
  email: "ada@acme.com",
  created_at: "2026-01-01T00:00:00.000Z",
  last_sign_in_at: "2026-01-01T00:00:00.000Z",
};

/** As on the member's page, where the member arrives after the identities. */
const Page = () => {
  useQuery(memberQuery("user_1"));
  return <IdentitiesCard userId="user_1" />;
};
const LATER_MS = 50;

async function show(...permissions: Permission[]) {
  const sent: string[] = [];
  vi.stubGlobal("fetch", (url: string, { method = "GET" }: RequestInit) => {
    if (method === "GET" && !url.endsWith("/identities"))
      return new Promise((resolve) => setTimeout(() => resolve(Response.json({ data: {} })), LATER_MS));
    if (method === "GET") return Promise.resolve(Response.json({ data: sent.length === 0 ? [IDENTITY] : [] }));
    sent.push(`${method} ${url}`);
    return Promise.resolve(Response.json({ deleted: true }));
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <UserContext value={{ name: "Ada", permissions }}>
        <Page />
      </UserContext>
    </QueryClientProvider>,
  );
  await screen.findByText("Okta");
  return { user: userEvent.setup(), sent };
}

it("offers nothing to readers", async () => {
  await show("members:read");
  expect(screen.queryByRole("button")).toBeNull();
});

it("asks before it unlinks, and disappears after the last one", async () => {
  const { user, sent } = await show("members:read", "members:write");
  await user.click(screen.getByRole("button", { name: "Unlink Okta…" }));
  const dialog = within(await screen.findByRole("alertdialog", { name: "Unlink “Okta”?" }));
  expect(sent).toEqual([]);
  await user.click(dialog.getByRole("button", { name: "Unlink" }));
  await vi.waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(sent).toEqual([`DELETE /v1/organization/members/user_1/identities/${IDENTITY.connection_id}`]);
  expect(toast.success).toHaveBeenCalledWith("Unlinked and signed out");
  expect(screen.queryByText("Identity providers")).toBeNull();
});
