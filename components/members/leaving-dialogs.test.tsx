import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { afterEach, expect, it, vi } from "vitest";
import type { Member } from "@/lib/records/members/contract";
import { ActivationDialog } from "./activation-dialog";
import { HandOverDialog } from "./hand-over-dialog";

const GRACE: Member = {
  id: "user_grace",
  email: "grace@example.com",
  first_name: "Grace",
  last_name: "Hopper",
  role: "org:member",
  role_name: "Developer",
  workspace_roles: [],
  groups: [],
  tags: [],
  status: "active",
  external_id: "e1",
  is_provisioned: true,
  created_at: "2026-01-01T00:00:00.000Z",
  guardrails: [],
  active_keys: 2,
  totp_enabled: false,
  passkeys: 0,
  open_sessions: 0,
};
const ADA: Member = { ...GRACE, id: "user_ada", email: "ada@example.com", first_name: "Ada", last_name: null };

afterEach(() => vi.unstubAllGlobals());

/** Shows a dialog; changes get the response. */
function show(dialog: ReactNode, respond: () => Response) {
  const bodies: unknown[] = [];
  vi.stubGlobal("fetch", (url: string, { method = "GET", body }: RequestInit) => {
    if (method === "GET" && url.includes("/members?"))
      return Promise.resolve(Response.json({ data: [GRACE, ADA], total_count: 2 }));
    if (method === "GET") return Promise.resolve(Response.json({ data: ADA }));
    bodies.push(JSON.parse(body as string));
    return Promise.resolve(respond());
  });
  render(<QueryClientProvider client={new QueryClient()}>{dialog}</QueryClientProvider>);
  return { user: userEvent.setup(), bodies };
}

it("hands over to another member, who must be chosen", async () => {
  const onClose = vi.fn();
  const { user, bodies } = show(<HandOverDialog member={GRACE} onClose={onClose} />, () =>
    Response.json({ data: { keys: 2, saved_views: 0 } }),
  );
  const dialog = within(await screen.findByRole("dialog", { name: "Hand over what Grace Hopper owns" }));
  await user.click(dialog.getByRole("button", { name: "Hand over" }));
  await dialog.findByText(/is required/);
  await user.click(dialog.getByRole("combobox", { name: "New owner" }));
  await screen.findByRole("option", { name: "Ada (ada@example.com)" });
  expect(screen.queryByRole("option", { name: /Grace/ })).toBeNull();
  await user.click(screen.getByRole("option", { name: "Ada (ada@example.com)" }));
  await user.click(dialog.getByRole("button", { name: "Hand over" }));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(bodies).toEqual([{ to_user_id: "user_ada" }]);
});

it("deactivates a member, and says what stops", async () => {
  const onClose = vi.fn();
  const { user, bodies } = show(<ActivationDialog member={GRACE} onClose={onClose} />, () =>
    Response.json({ data: { ...GRACE, status: "deactivated" } }),
  );
  const question = within(await screen.findByRole("alertdialog", { name: "Deactivate Grace Hopper?" }));
  question.getByText(/stops 2 active keys within a second/);
  await user.click(question.getByRole("button", { name: "Deactivate member" }));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(bodies).toEqual([{ active: false }]);
});

it("shows why a member can't be reactivated", async () => {
  const message = "The directory decides whether grace@example.com is active";
  const onClose = vi.fn();
  const { user, bodies } = show(
    <ActivationDialog member={{ ...GRACE, status: "deactivated" }} onClose={onClose} />,
    () => Response.json({ error: { code: 409, message } }, { status: 409 }),
  );
  const question = within(await screen.findByRole("alertdialog", { name: "Reactivate Grace Hopper?" }));
  question.getByText(/2 keys work again/);
  await user.click(question.getByRole("button", { name: "Reactivate member" }));
  await question.findByText(new RegExp(message));
  expect(bodies).toEqual([{ active: true }]);
  expect(onClose).not.toHaveBeenCalled();
});
