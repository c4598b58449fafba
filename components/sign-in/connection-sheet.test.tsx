import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { SignInConnection } from "@/lib/records/sign-in-connections/contract";
import { connectionQuery } from "./connection-queries";
import { ConnectionSheet } from "./connection-sheet";

vi.mock("@/components/form/unsaved-guard", () => ({ UnsavedGuard: () => null }));

const ID = "01980000-0000-7000-8000-000000000001";
const BASE = `https://box.example/session/connections/${ID}`;
const CONNECTION: SignInConnection = {
  id: ID,
  name: "Okta",
  protocol: "oidc",
  enabled: false,
  domains: ["acme.com"],
  oidc: { issuer: null, client_id: null, scopes: ["openid", "email", "profile"], has_client_secret: false },
  saml: null,
  claims: { email: "email", first_name: "given_name", last_name: "family_name", groups: "groups" },
  creates_members: true,
  default_role: "org:member",
  trust_email: true,
  manages_names: true,
  max_session_hours: null,
  addresses: {
    callback_url: `${BASE}/callback`,
    start_url: `${BASE}/start`,
    back_channel_logout_url: `${BASE}/back-channel-logout`,
    front_channel_logout_url: `${BASE}/front-channel-logout`,
    sign_out_url: "https://box.example/sign-in",
    metadata_url: null,
  },
  tested_at: null,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: null,
};

const fetch = vi.fn<(url: string, request: RequestInit) => Promise<Response>>();
beforeEach(() => vi.stubGlobal("fetch", fetch.mockReset().mockReturnValue(new Promise(() => undefined))));
afterEach(() => vi.unstubAllGlobals());

const sent = () =>
  fetch.mock.calls.map(([, { body }]) => JSON.parse(typeof body === "string" ? body : "null") as unknown);

function show(fields: Partial<SignInConnection> = {}) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(connectionQuery(ID).queryKey, { data: { ...CONNECTION, ...fields } });
  render(
    <QueryClientProvider client={client}>
      <ConnectionSheet id={ID} onClose={vi.fn()} />
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  const change = (changed: Partial<SignInConnection>) =>
    client.setQueryData(connectionQuery(ID).queryKey, { data: { ...CONNECTION, ...fields, ...changed } });
  const form = (name: string) => within(screen.getByRole("form", { name }));
  return { user, form, change, turnOn: () => screen.getByRole("button", { name: "Turn on" }) };
}

it("shows the addresses for the provider", () => {
  show();
  const addresses = within(screen.getByRole("region", { name: "1. Register Signalbox at the provider" }));
  for (const label of ["Redirect URI", "Back-channel logout URI"])
    addresses.getByRole("button", { name: `Copy ${label}` });
  addresses.getByText(`${BASE}/callback`);
});

it("requires the provider's settings, and sends them with the secret, which it doesn't show again", async () => {
  const oidc = { issuer: "https://acme.okta.com", client_id: "one", scopes: ["openid"], has_client_secret: true };
  fetch.mockImplementation(async () => new Response(JSON.stringify({ data: { ...CONNECTION, oidc } })));
  const { user, form } = show();
  const provider = form("Provider");
  await user.type(provider.getByRole("textbox", { name: "Client ID" }), "one");
  await user.click(provider.getByRole("button", { name: "Save provider" }));
  await provider.findByText(/must be a URL/i);
  await user.type(provider.getByRole("textbox", { name: "Issuer" }), "https://acme.okta.com");
  await user.type(provider.getByLabelText("Client secret"), "secret");
  await user.click(provider.getByRole("button", { name: "Save provider" }));
  await provider.findByText("Stored (hidden)");
  expect(sent()[0]).toEqual({
    oidc: {
      issuer: "https://acme.okta.com",
      client_id: "one",
      client_secret: "secret",
      scopes: ["openid", "email", "profile"],
    },
  });
});

it("keeps a stored secret", async () => {
  const { user, form } = show({
    oidc: { issuer: "https://acme.okta.com", client_id: "one", scopes: ["openid"], has_client_secret: true },
  });
  const provider = form("Provider");
  provider.getByText("Stored (hidden)");
  await user.type(provider.getByRole("textbox", { name: "Client ID" }), "2");
  await user.click(provider.getByRole("button", { name: "Save provider" }));
  expect(sent()).toEqual([{ oidc: { issuer: "https://acme.okta.com", client_id: "one2", scopes: ["openid"] } }]);
});

it("is turned on after a test only", async () => {
  const { turnOn } = show();
  expect(turnOn().getAttribute("disabled") ?? turnOn().getAttribute("aria-disabled")).not.toBeNull();
});

it("turns on a tested connection", async () => {
  const { user, turnOn } = show({ tested_at: "2026-01-01T00:00:00.000Z" });
  await user.click(turnOn());
  expect(sent()).toEqual([{ enabled: true }]);
});

it("changes who signs in", async () => {
  const { user, form } = show();
  const access = form("Access");
  await user.click(access.getByRole("switch", { name: "Create accounts" }));
  await user.type(access.getByRole("textbox", { name: "Longest session (hours)" }), "8");
  await user.click(access.getByRole("button", { name: "Save access" }));
  expect(sent()).toEqual([{ creates_members: false, max_session_hours: 8 }]);
});

it("tests and turns on only what is saved", async () => {
  const { user, form, turnOn } = show({ tested_at: "2026-01-01T00:00:00.000Z" });
  const test = screen.getByRole("button", { name: "Test sign-in" });
  const reasons = () => screen.queryAllByText("Save your changes above first.");
  expect([test, turnOn()].map((button) => button.hasAttribute("disabled"))).toEqual([false, false]);
  expect(reasons()).toHaveLength(0);
  await user.type(form("Provider").getByRole("textbox", { name: "Client ID" }), "one");
  expect([test, turnOn()].map((button) => button.hasAttribute("disabled"))).toEqual([true, true]);
  expect(reasons()).toHaveLength(2);
});

it("shows a number that somebody else has changed", async () => {
  const { form, change } = show({ max_session_hours: 8 });
  const hours = form("Access").getByRole<HTMLInputElement>("textbox", { name: "Longest session (hours)" });
  expect(hours.value).toBe("8");
  change({ max_session_hours: 12 });
  await vi.waitFor(() => expect(hours.value).toBe("12"));
});
