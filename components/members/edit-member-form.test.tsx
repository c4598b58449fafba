import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { UserContext } from "@/components/session/user-context";
import { PERMISSION_NAMES } from "@/lib/platform/permissions";
import type { Member } from "@/lib/records/members/contract";
import { EditMemberForm } from "./edit-member-form";
import { memberQuery } from "./member-queries";

vi.mock("@/components/form/unsaved-guard", () => ({ UnsavedGuard: () => null }));

afterEach(() => vi.unstubAllGlobals());

const MEMBER: Member = {
  id: "user_grace",
  email: "grace@example.com",
  first_name: null,
  last_name: "Hopper",
  role: "org:member",
  role_name: "Developer",
  workspace_roles: [],
  groups: [],
  tags: [],
  status: "active",
  external_id: null,
  is_provisioned: false,
  created_at: "2026-01-01T00:00:00.000Z",
  guardrails: [],
  active_keys: 0,
  totp_enabled: false,
  passkeys: 0,
  open_sessions: 0,
};

const Form = () => {
  const member = useQuery(memberQuery(MEMBER.id)).data?.data;
  return member && <EditMemberForm member={member} />;
};

/** Shows the form on a server that stores what it sends, or refuses it for an issue. */
async function show(issue: { path: (string | number)[]; message: string } | null = null, fields: Partial<Member> = {}) {
  let stored = { ...MEMBER, ...fields };
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", (url: string, { method = "GET", body }: RequestInit) => {
    if (url.startsWith("/v1/organization/roles")) return Promise.resolve(Response.json({ data: [] }));
    if (url.startsWith("/v1/workspaces")) return Promise.resolve(Response.json({ data: [], total_count: 0 }));
    if (method === "PATCH") {
      const change = JSON.parse(body as string) as Partial<Member>;
      sent.push(change);
      if (issue) {
        const error = { code: 400, message: "Invalid request", metadata: { issues: [issue] } };
        return Promise.resolve(Response.json({ error }, { status: 400 }));
      }
      stored = { ...stored, ...change };
    }
    return Promise.resolve(Response.json({ data: stored }));
  });
  const client = new QueryClient();
  render(
    <QueryClientProvider client={client}>
      <UserContext value={{ name: "Ada", permissions: PERMISSION_NAMES }}>
        <Form />
      </UserContext>
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  const firstName = await screen.findByRole<HTMLInputElement>("textbox", { name: "First name" });
  const save = screen.getByRole("button", { name: "Save changes" });
  return {
    user,
    sent,
    firstName,
    save: async () => {
      await user.click(save);
      // While it has the focus, it is disabled by its role.
      const isDisabled = () => save.hasAttribute("disabled") || save.getAttribute("aria-disabled") === "true";
      await vi.waitFor(() => expect(isDisabled()).toBe(issue === null));
    },
    changeElsewhere: async (change: Partial<Member>) => {
      stored = { ...stored, ...change };
      await client.invalidateQueries();
    },
  };
}

it("doesn't send a field again that was saved before and that somebody else has changed since", async () => {
  const { user, sent, firstName, save, changeElsewhere } = await show();
  await user.type(screen.getByRole("textbox", { name: "Last name" }), "-Murray");
  await save();
  await changeElsewhere({ last_name: "Hopper" });
  await vi.waitFor(() => expect(screen.getByRole("textbox", { name: "Last name" })).toHaveProperty("value", "Hopper"));
  await user.type(firstName, "Grace");
  await save();
  expect(sent).toEqual([{ last_name: "Hopper-Murray" }, { first_name: "Grace" }]);
});

it("keeps what is being typed while another field follows the server", async () => {
  const { user, sent, firstName, save, changeElsewhere } = await show();
  await user.type(firstName, "Gra");
  await changeElsewhere({ last_name: "Murray" });
  await vi.waitFor(() => expect(screen.getByRole("textbox", { name: "Last name" })).toHaveProperty("value", "Murray"));
  await user.type(firstName, "ce");
  await save();
  expect(sent).toEqual([{ first_name: "Grace" }]);
});

it("shows why a workspace role is refused", async () => {
  const issue = { path: ["workspace_roles", 0, "role"], message: "is a role with permissions that you don't have" };
  const role = { workspace_id: "01980000-0000-7000-8000-000000000002", role: "org:admin" };
  const { user, firstName, save } = await show(issue, { workspace_roles: [role] });
  await user.type(firstName, "Grace");
  await save();
  expect((await screen.findByRole("alert")).textContent).toContain("permissions that you don't have");
});
