import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SignIn } from "./sign-in-form";
import { signInOptionsQuery } from "./session-queries";

const CONNECTION = {
  id: "01980000-0000-7000-8000-000000000001",
  name: "Okta",
  start_url: "/session/connections/1/start",
};

const fetch = vi.fn<(url: string, request: RequestInit) => Promise<Response>>();
const assign = vi.fn();
beforeEach(() => {
  vi.stubGlobal("fetch", fetch.mockReset());
  vi.spyOn(window.location, "assign").mockImplementation(assign.mockReset());
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const answer = (body: object, status = 200) => new Response(JSON.stringify(body), { status });
const sent = () =>
  fetch.mock.calls.map(([url, { method, body }]) => [
    method,
    url,
    JSON.parse(typeof body === "string" ? body : "null") as unknown,
  ]);

function show({ connections = [CONNECTION], refusal = null as string | null } = {}) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(signInOptionsQuery.queryKey, { data: { email_first: connections.length > 0, connections } });
  render(
    <QueryClientProvider client={client}>
      <SignIn next="/keys" refusal={refusal} requestId={refusal && "req-1"} />
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  return {
    user,
    email: () => screen.getByRole("textbox", { name: "Email" }),
    press: (name: string) => user.click(screen.getByRole("button", { name })),
  };
}

it("asks for the password at once without identity providers", () => {
  show({ connections: [] });
  screen.getByLabelText("Password");
  screen.getByRole("button", { name: "Sign in" });
});

it("opens the identity provider of the address's domain", async () => {
  fetch.mockResolvedValue(answer({ data: { connection: CONNECTION } }));
  const { user, email, press } = show();
  expect(screen.getByRole("link", { name: "Continue with Okta" }).getAttribute("href")).toBe(
    "/session/connections/1/start?return_to=%2Fkeys",
  );
  await user.type(email(), "ada@acme.com");
  await press("Continue");
  expect(sent()).toEqual([["POST", "/session/sign-in-options", { email: "ada@acme.com" }]]);
  expect(assign).toHaveBeenCalledWith("/session/connections/1/start?return_to=%2Fkeys&email=ada%40acme.com");
});

it("asks for the password of an address of another domain, or when the person wants it", async () => {
  fetch.mockResolvedValue(answer({ data: { connection: null } }));
  const { user, email, press } = show();
  await user.type(email(), "ada@other.example");
  await press("Continue");
  await screen.findByRole("button", { name: "Sign in" });
  expect(document.activeElement).toBe(screen.getByLabelText("Password"));
  expect(assign).not.toHaveBeenCalled();
});

it("signs in by what a password manager has filled, without looking for a provider", async () => {
  fetch.mockResolvedValue(answer({ error: { code: 401, message: "Invalid email or password" } }, 401));
  const { user, email, press } = show();
  await user.type(email(), "ada@acme.com");
  await user.type(screen.getByLabelText("Password"), "from a manager");
  await press("Continue");
  expect(sent()).toEqual([["POST", "/session", { email: "ada@acme.com", password: "from a manager" }]]);
  await screen.findByText("Incorrect email or password");
  screen.getByRole("button", { name: "Sign in" });
});

it("says why an identity provider's sign-in was refused", () => {
  show({ refusal: "deactivated" });
  const alert = screen.getByRole("alert");
  for (const text of ["Your account is deactivated", "req-1"]) expect(alert.textContent).toContain(text);
});

it("asks for the provider again after the address has changed", async () => {
  fetch.mockResolvedValueOnce(answer({ data: { connection: null } }));
  fetch.mockResolvedValueOnce(answer({ data: { connection: CONNECTION } }));
  const { user, email, press } = show();
  await user.type(email(), "ada@acme.co");
  await press("Continue");
  await user.type(await screen.findByLabelText("Password"), "secret");
  await screen.findByRole("button", { name: "Sign in" });
  await user.type(email(), "m");
  await press("Continue");
  expect(assign).toHaveBeenCalledWith("/session/connections/1/start?return_to=%2Fkeys&email=ada%40acme.com");
});

it("goes back from the password to the provider, and forgets the error of the step before", async () => {
  fetch.mockResolvedValue(answer({ error: { code: 500, message: "Something broke" } }, 500));
  const { user, email, press } = show();
  await user.type(email(), "ada@acme.com");
  await press("Continue");
  await screen.findByText("Something broke");
  await press("Use a password");
  expect(screen.queryByText("Something broke")).toBeNull();
  await press("Use an identity provider");
  screen.getByRole("button", { name: "Continue" });
});
