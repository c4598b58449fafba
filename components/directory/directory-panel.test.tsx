import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { UserContext } from "@/components/session/user-context";
import type { ScimToken } from "@/lib/records/scim-tokens/contract";
import { DirectoryPanel } from "./directory-panel";

const TOKEN: ScimToken = {
  id: "01980000-0000-7000-8000-000000000001",
  name: "Okta",
  label: "sb-scim-v1-abc...wxyz",
  expires_at: null,
  last_used_at: null,
  created_at: "2026-01-01T00:00:00.000Z",
};
const DIRECTORY = {
  base_url: "https://box.example/v1/scim/v2",
  last_request_at: null,
  members: { active: 1200, deactivated: 0 },
  groups: 3,
};

vi.mock("next/navigation", async (original) => ({
  ...(await original<object>()),
  usePathname: () => "/settings",
  useRouter: () => ({ push: vi.fn(), replace: vi.fn(), prefetch: vi.fn() }),
}));

afterEach(() => vi.unstubAllGlobals());

function show(tokens: readonly ScimToken[], directory: object = DIRECTORY, isAdmin = true) {
  const left = new Set(tokens);
  const requests: string[] = [];
  vi.stubGlobal("fetch", (url: string, { method = "GET" }: RequestInit) => {
    requests.push(`${method} ${url}`);
    if (method === "POST")
      return Promise.resolve(Response.json({ data: TOKEN, token: "sb-scim-v1-secret" }, { status: 201 }));
    if (url.endsWith("/directory")) return Promise.resolve(Response.json({ data: directory }));
    if (method !== "DELETE") return Promise.resolve(Response.json({ data: [...left] }));
    for (const one of left) if (url.endsWith(one.id)) left.delete(one);
    return Promise.resolve(Response.json({ deleted: true }));
  });
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <UserContext value={{ name: "Grace", permissions: isAdmin ? ["sign_in:write"] : [] }}>
        <DirectoryPanel />
      </UserContext>
    </QueryClientProvider>,
  );
  return { user: userEvent.setup(), requests };
}

it("shows the address, and says what tokens are for", async () => {
  show([]);
  expect(screen.getByRole("status").textContent).toContain("Loading the directory");
  expect((await screen.findByRole("group", { name: "Base URL" })).textContent).toBe(DIRECTORY.base_url);
  await screen.findByText(/^No tokens yet/);
  screen.getByText("No requests yet");
  screen.getByText("1,200");
});

it("lists tokens and links to deactivated members", async () => {
  const used = "2026-01-02T00:00:00.000Z";
  show([{ ...TOKEN, last_used_at: used, expires_at: "2027-01-01T00:00:00.000Z" }], {
    ...DIRECTORY,
    last_request_at: used,
    members: { active: 1, deactivated: 2 },
  });
  const item = await screen.findByRole("listitem");
  for (const part of ["Okta", TOKEN.label, "Used ", "Expires "]) expect(item.textContent).toContain(part);
  expect(screen.getByRole("link", { name: "2 members" }).getAttribute("href")).toBe("/members?status=deactivated");
});

it("offers no sixth token", async () => {
  show(Array.from({ length: 5 }, (_, index) => ({ ...TOKEN, id: `${TOKEN.id}${index}`, name: `T${index}` })));
  expect(await screen.findAllByRole("listitem")).toHaveLength(5);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "New token…" }).disabled).toBe(true);
});

it("offers no changes to a member who isn't an admin", async () => {
  show([TOKEN], DIRECTORY, false);
  await screen.findByRole("listitem");
  expect(screen.queryByRole("button", { name: /…$/ })).toBeNull();
});

it("creates a token, which is shown until it is stored", async () => {
  const { user, requests } = show([]);
  await user.click(await screen.findByRole("button", { name: "New token…" }));
  const form = within(await screen.findByRole("dialog", { name: "New SCIM token" }));
  await user.type(form.getByRole("textbox", { name: "Name" }), "Okta");
  await user.click(form.getByRole("button", { name: "Create token" }));
  const created = within(await screen.findByRole("dialog", { name: "“Okta” created" }));
  expect(created.getByRole<HTMLTextAreaElement>("textbox", { name: "Token" }).value).toBe("sb-scim-v1-secret");
  await user.keyboard("{Escape}");
  await user.click(created.getByRole("button", { name: "I have stored it" }));
  await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(requests).toContain("POST /v1/organization/scim-tokens");
});

it("deletes a token after a question", async () => {
  const { user, requests } = show([TOKEN]);
  await user.click(await screen.findByRole("button", { name: "Delete Okta…" }));
  const question = within(await screen.findByRole("alertdialog", { name: "Delete “Okta”?" }));
  await user.click(question.getByRole("button", { name: "Delete token" }));
  await screen.findByText(/^No tokens yet/);
  expect(requests).toContain(`DELETE /v1/organization/scim-tokens/${TOKEN.id}`);
});

it("marks a token that has expired", async () => {
  show([{ ...TOKEN, expires_at: "2026-01-02T00:00:00.000Z" }]);
  const tokens = within(await screen.findByRole("list", { name: "Tokens" }));
  expect(tokens.getByText(/^Expired/).textContent).toMatch(/^Expired (Jan 2, 2026|.+ ago)$/);
  expect(tokens.queryByText(/Expires/)).toBeNull();
});
