import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { reportSessionEnd } from "@/lib/browser/session-end";
import type { Session } from "@/lib/records/session/contract";
import { reportOutcome } from "./sign-in-tab";
import { SessionEnded } from "./session-ended";
import { sessionQuery, signInOptionsQuery } from "./session-queries";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const CONNECTION = { id: "01980000-0000-7000-8000-000000000001", name: "Okta", start_url: "/start" };

/** Ends a session by password in an organization with an identity provider. */
async function show() {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const session = { user: { id: "user_1", email: "ada@acme.com" }, connection: null } as Session;
  client.setQueryData(sessionQuery.queryKey, { data: session });
  client.setQueryData(signInOptionsQuery.queryKey, { data: { email_first: true, connections: [CONNECTION] } });
  render(
    <QueryClientProvider client={client}>
      <SessionEnded />
    </QueryClientProvider>,
  );
  act(() => void reportSessionEnd());
  return within(await screen.findByRole("dialog", { name: "Session expired" }));
}

it("offers the identity providers after the end of a session by password", async () => {
  const open = vi.spyOn(window, "open").mockReturnValue(null);
  const dialog = await show();
  await userEvent.setup().click(await dialog.findByRole("button", { name: "Continue with Okta" }));
  expect(open).toHaveBeenCalledWith(
    `/session/connections/${CONNECTION.id}/start?return_to=%2Fsign-in%2Fdone`,
    "_blank",
  );
});

it("says why the session that a provider started can't be read", async () => {
  vi.spyOn(window, "open").mockReturnValue(null);
  const error = { code: 500, message: "Something broke" };
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ error }, { status: 500 })));
  const dialog = await show();
  await userEvent.setup().click(await dialog.findByRole("button", { name: "Continue with Okta" }));
  reportOutcome({ refusal: null });
  await dialog.findByText("Something broke");
});
