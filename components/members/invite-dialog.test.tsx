import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { sessionQuery, signInOptionsQuery } from "@/components/session/session-queries";
import type { Session } from "@/lib/records/session/contract";
import { InviteDialog } from "./invite-dialog";

afterEach(() => vi.unstubAllGlobals());

/** Has the server reject every request for these reasons. */
function reject(...issues: { path: string[]; message: string }[]) {
  const error = { code: 400, message: "Invalid request", metadata: { issues } };
  const fetch = vi.fn(() => Promise.resolve(Response.json({ error }, { status: 400 })));
  vi.stubGlobal("fetch", fetch);
  return fetch;
}

async function invite(email: string, password_sign_in: Session["password_sign_in"] = "allowed") {
  const user = userEvent.setup();
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(sessionQuery.queryKey, { data: { password_sign_in } as Session });
  const connections = [{ id: "1", name: "Okta", start_url: "/start" }];
  client.setQueryData(signInOptionsQuery.queryKey, { data: { email_first: true, connections } });
  render(
    <QueryClientProvider client={client}>
      <InviteDialog onClose={() => undefined} />
    </QueryClientProvider>,
  );
  const dialog = within(screen.getByRole("dialog", { name: "Invite member" }));
  await user.type(dialog.getByRole("textbox", { name: "Email" }), email);
  await user.click(dialog.getByRole("button", { name: /^(Create invitation|Add member)$/ }));
  return dialog;
}

it("shows an invalid email address at its field, without sending it", async () => {
  const fetch = reject();
  const dialog = await invite("nobody");
  const email = await dialog.findByRole("textbox", { name: "Email", description: /must be an email address/ });
  expect(document.activeElement).toBe(email);
  expect(fetch).not.toHaveBeenCalled();
});

it("doesn't repeat an error of a field in the alert", async () => {
  reject({ path: ["email"], message: "already exists" });
  const dialog = await invite("ada@example.com");
  const email = await dialog.findByRole("textbox", { name: "Email", description: /already exists/ });
  expect(document.activeElement).toBe(email);
  expect(dialog.getAllByText(/already exists/)).toHaveLength(1);
  expect(dialog.queryByRole("alert")).toBeNull();
});

it("shows an error without a field in the alert, under the field's label", async () => {
  reject({ path: ["email"], message: "is not allowed" }, { path: ["seat_id"], message: "is taken" });
  const dialog = await invite("ada@example.com");
  await dialog.findByRole("textbox", { name: "Email", description: /is not allowed/ });
  const { textContent } = dialog.getByRole("alert");
  expect(textContent).toContain("Seat ID: is taken");
  expect(textContent).not.toContain("is not allowed");
});

it("says where members sign in, instead of a link to set a password, if passwords are off", async () => {
  vi.stubGlobal("fetch", () =>
    Promise.resolve(Response.json({ data: { email: "ada@example.com" }, emailed: false }, { status: 201 })),
  );
  await invite("ada@example.com", "break_glass_only");
  const dialog = within(await screen.findByRole("dialog", { name: "Member added" }));
  expect(dialog.getByRole("group", { name: "Sign-in page" }).textContent).toBe(`${window.location.origin}/sign-in`);
  dialog.getByText("They sign in with Okta.");
  dialog.getByText(/^Send the sign-in page to ada@example.com yourself/);
});
