import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { WorkloadIdentity } from "@/lib/records/workload-identities/contract";
import { IdentityForm } from "./identity-form";

const HASH = "0".repeat(64);
const STORED: WorkloadIdentity = {
  id: "01980000-0000-7000-8000-000000000001",
  key_hash: HASH,
  name: "Deployments",
  issuer: "https://kubernetes.default.svc",
  audience: "https://box.example",
  claims: { sub: "system:serviceaccount:prod:app", "kubernetes.io/pod": "app-*" },
  jwks: { keys: [{ kty: "RSA", n: "1", e: "AQAB" }] },
  lifetime_seconds: 600,
  last_used_at: null,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: null,
};

const fetch = vi.fn<(url: string, request: RequestInit) => Promise<Response>>();
beforeEach(() => vi.stubGlobal("fetch", fetch.mockReset().mockReturnValue(new Promise(() => undefined))));
afterEach(() => vi.unstubAllGlobals());

const sent = () =>
  fetch.mock.calls.map(([url, { method, body }]) => [
    method,
    url,
    JSON.parse(typeof body === "string" ? body : "null") as unknown,
  ]);

function show(identity: WorkloadIdentity | null = null) {
  const user = userEvent.setup();
  const onSaved = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <IdentityForm keyHash={HASH} identity={identity} onSaved={onSaved} onCancel={vi.fn()} />
    </QueryClientProvider>,
  );
  const box = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
  const press = (name: string) => user.click(screen.getByRole("button", { name }));
  const choose = async (platform: string) => {
    await user.click(screen.getByRole("combobox", { name: "Platform" }));
    await user.click(screen.getByRole("option", { name: platform }));
  };
  const fill = async (name: string, text: string) => {
    await user.clear(box(name));
    await user.click(box(name));
    await user.paste(text);
  };
  return { box, press, choose, fill, onSaved };
}

it("prefills the platform's issuer, but not over another one, and shows an example of its subject", async () => {
  const { box, choose, fill } = show();
  expect(box("Issuer").value).toBe("https://token.actions.githubusercontent.com");
  expect(box("Audience").value).toBe(window.location.origin);
  screen.getByText("repo:OWNER/REPO:ref:refs/heads/main");
  await choose("GitLab CI");
  expect(box("Issuer").value).toBe("https://gitlab.com");
  screen.getByText("project_path:GROUP/PROJECT:ref_type:branch:ref:main");
  await fill("Issuer", "https://git.acme.example");
  await choose("Kubernetes");
  expect(box("Issuer").value).toBe("https://git.acme.example");
  screen.getByText("system:serviceaccount:NAMESPACE:NAME");
});

it("creates an identity", async () => {
  const { press, choose, fill, onSaved } = show();
  await choose("Other");
  await fill("Name", "Deployments");
  await fill("Issuer", "https://ci.example");
  await fill("Audience", "https://box.example");
  await fill("Subject", "robot-*");
  await press("Add claim");
  await fill("Claim name", "environment");
  await fill("Claim value", "production");
  await fill("Lifetime (minutes)", "5");
  await fill("Public keys (JWKS)", '{ "keys": [{ "kty": "OKP" }] }');
  fetch.mockReturnValue(Promise.resolve(Response.json({ data: STORED }, { status: 201 })));
  await press("Add identity");
  await vi.waitFor(() => expect(onSaved.mock.calls[0]?.[0]).toEqual(STORED));
  const body = {
    name: "Deployments",
    issuer: "https://ci.example",
    audience: "https://box.example",
    claims: { sub: "robot-*", environment: "production" },
    jwks: { keys: [{ kty: "OKP" }] },
    lifetime_seconds: 300,
  };
  expect(sent()).toEqual([["POST", `/v1/keys/${HASH}/workload-identities`, body]]);
});

it("shows each error at its field, without sending anything", async () => {
  const { box, press, choose, fill } = show();
  await choose("Other");
  await press("Add claim");
  await fill("Claim name", "environment");
  await fill("Lifetime (minutes)", "90");
  await fill("Public keys (JWKS)", "{");
  await press("Add identity");
  await screen.findByText("Subject is required");
  expect(document.activeElement).toBe(box("Name"));
  screen.getByText("Name is required");
  screen.getByText(/must be the URL/);
  screen.getByText("Each claim must have a name and a value");
  screen.getByText("must be from 1 to 60");
  screen.getByText("must be JSON");
  await fill("Subject", "*");
  await screen.findByText(/must have `sub` with more than wildcards/);
  await fill("Claim name", "sub");
  await fill("Claim value", "x");
  await screen.findByText("Each claim can be given only once");
  await fill("Public keys (JWKS)", '{ "keys": [{ "kty": "oct" }] }');
  await screen.findByText("must be one of RSA, EC, OKP");
  expect(sent()).toEqual([]);
});

it("shows the server's error about claims at the subject", async () => {
  const issues = [{ path: ["claims"], message: "must have `sub`" }];
  const error = { code: 400, message: "Invalid request", metadata: { issues } };
  const { press, fill } = show();
  fetch.mockReturnValue(Promise.resolve(Response.json({ error }, { status: 400 })));
  await fill("Name", "Deployments");
  await fill("Audience", "https://box.example");
  await fill("Subject", "repo:acme/app:*");
  await press("Add identity");
  await screen.findByRole("textbox", { name: "Subject", description: /must have `sub`/ });
  expect(screen.queryByRole("alert")).toBeNull();
});

it("changes an identity and keeps what it doesn't show as a field", async () => {
  const { box, press, fill } = show(STORED);
  expect(screen.getByRole("combobox", { name: "Platform" }).textContent).toBe("Kubernetes");
  expect(screen.getByRole("button", { name: "Save changes" }).hasAttribute("disabled")).toBe(true);
  expect(box("Claim name").value).toBe("kubernetes.io/pod");
  screen.getByText(": 1 further claim, 10 minutes, own public keys");
  await fill("Name", "Production");
  await press("Save changes");
  const { name, issuer, audience, claims, jwks, lifetime_seconds } = { ...STORED, name: "Production" };
  const body = { name, issuer, audience, claims, jwks, lifetime_seconds };
  await vi.waitFor(() =>
    expect(sent()).toEqual([["PATCH", `/v1/keys/${HASH}/workload-identities/${STORED.id}`, body]]),
  );
});
