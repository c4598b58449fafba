import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { UserContext } from "@/components/session/user-context";
import type { Permission } from "@/lib/platform/permissions";
import type { WorkloadIdentity } from "@/lib/records/workload-identities/contract";
import { IdentitiesSection } from "./identities-section";

const HASH = "0".repeat(64);
const UNUSED: WorkloadIdentity = {
  id: "01980000-0000-7000-8000-000000000001",
  key_hash: HASH,
  name: "Deployments",
  issuer: "https://ci.example",
  audience: "https://box.example",
  claims: { sub: "robot-*", environment: "production" },
  jwks: null,
  lifetime_seconds: 900,
  last_used_at: null,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: null,
};
const USED = {
  ...UNUSED,
  id: "01980000-0000-7000-8000-000000000002",
  name: "Tests",
  last_used_at: "2026-01-02T00:00:00.000Z",
};

afterEach(() => vi.unstubAllGlobals());

let permissions: Permission[];
beforeEach(() => {
  permissions = ["keys:read", "keys:write"];
});

function show(...identities: WorkloadIdentity[]) {
  const left = new Set(identities);
  const requests: string[] = [];
  vi.stubGlobal("fetch", (url: string, { method = "GET" }: RequestInit) => {
    requests.push(`${method} ${url}`);
    if (method !== "DELETE") return Promise.resolve(Response.json({ data: [...left] }));
    for (const one of left) if (url.endsWith(one.id)) left.delete(one);
    return Promise.resolve(Response.json({ deleted: true }));
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <UserContext value={{ name: "Ada", permissions }}>
        <IdentitiesSection keyHash={HASH} />
      </UserContext>
    </QueryClientProvider>,
  );
  return { user: userEvent.setup(), requests };
}

it("says what identities are for", async () => {
  show();
  expect(screen.getByRole("status").textContent).toContain("Loading workload identities");
  await screen.findByText(/^Let a pipeline or a pod exchange its own token/);
});

it("lists identities with the code to use them", async () => {
  show(UNUSED, USED);
  const [unused, used] = (await screen.findAllByRole("listitem")).map((item) => item.textContent);
  for (const part of ["https://ci.example", "sub: robot-*", "environment: production", "15 minutes · Never used"])
    expect(unused).toContain(part);
  expect(used).toMatch(/15 minutes · Used \w/);
  expect(screen.getAllByRole("group", { name: "Commands" })[0]?.textContent).toContain(
    `${window.location.origin}/v1/oauth/token`,
  );
});

it("deletes an identity after a question", async () => {
  const { user, requests } = show(UNUSED, USED);
  await user.click(await screen.findByRole("button", { name: "Actions for Tests" }));
  await user.click(await screen.findByRole("menuitem", { name: "Delete…" }));
  const question = within(await screen.findByRole("alertdialog", { name: "Delete “Tests”?" }));
  question.getByText("Keys that it exchanged end at once.");
  await user.click(question.getByRole("button", { name: "Delete identity" }));
  await vi.waitFor(() => expect(screen.getAllByRole("listitem")).toHaveLength(1));
  expect(requests).toContain(`DELETE /v1/keys/${HASH}/workload-identities/${USED.id}`);
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

it("shows nothing for a key in a workspace where the user may not see keys", async () => {
  vi.stubGlobal("fetch", () =>
    Promise.resolve(Response.json({ error: { code: 404, message: "Not found" } }, { status: 404 })),
  );
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <UserContext value={{ name: "Ada", permissions }}>
        <IdentitiesSection keyHash={HASH} />
      </UserContext>
    </QueryClientProvider>,
  );
  await vi.waitFor(() => expect(screen.queryByRole("heading")).toBeNull());
});

it("only shows them without the permission to change keys", async () => {
  permissions = ["keys:read"];
  show(UNUSED);
  await screen.findByText("Deployments");
  expect(screen.queryByRole("button", { name: "Add identity…" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Actions for Deployments" })).toBeNull();
});
