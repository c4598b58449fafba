import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Provider } from "@/lib/records/providers/contract";
import { ProviderForm } from "./provider-form";

vi.mock("@/lib/browser/page-router", () => ({ usePageRouter: () => ({ push: vi.fn() }) }));

const PROVIDER: Provider = {
  audit_id: "01980000-0000-7000-8000-000000000001",
  slug: "acme",
  name: "Acme",
  base_url: "https://api.acme.example/v1",
  kind: "openai",
  protocol: "chat_completions",
  settings: null,
  zdr: false,
  trains: false,
  ownership: "platform",
  has_api_key: true,
  credential_names: [],
  header_names: [],
  models_count: 0,
  last_test: null,
  privacy_policy_url: null,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
};

const fetch = vi.fn<(url: string, request: RequestInit) => Promise<Response>>();
beforeEach(() => vi.stubGlobal("fetch", fetch.mockReset().mockReturnValue(new Promise(() => undefined))));
afterEach(() => vi.unstubAllGlobals());

const sent = () =>
  fetch.mock.calls.flatMap(([, { method, body }]) =>
    method === "PATCH" && typeof body === "string" ? [JSON.parse(body) as unknown] : [],
  );

function show() {
  const user = userEvent.setup();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ProviderForm provider={PROVIDER} />
    </QueryClientProvider>,
  );
  const press = (name: string) => user.click(screen.getByRole("button", { name }));
  return { user, press, name: () => screen.getByRole("textbox", { name: "Name" }) };
}

it("sends only what has changed", async () => {
  const { user, press, name } = show();
  expect(screen.getByRole("button", { name: "Save changes" }).hasAttribute("disabled")).toBe(true);
  await user.type(name(), " Inc");
  await press("Save changes");
  await vi.waitFor(() => expect(sent()).toEqual([{ name: "Acme Inc" }]));
});

it("discards changes together with headers that were added", async () => {
  const { user, press, name } = show();
  await user.type(name(), " Inc");
  await press("Add header");
  await user.type(screen.getByRole("textbox", { name: "Header name" }), "x-team");
  await press("Discard changes");
  expect(name()).toHaveProperty("value", "Acme");
  expect(screen.queryByRole("textbox", { name: "Header name" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Discard changes" })).toBeNull();
});

it("warns before stored secrets are lost to another server", async () => {
  const { user } = show();
  const baseUrl = screen.getByRole("textbox", { name: "Base URL" });
  await user.clear(baseUrl);
  await user.type(baseUrl, "https://api.other.example/v1");
  screen.getByText("The base URL points to a different server");
});

it("asks before the kind changes", async () => {
  const { user, press } = show();
  await user.click(screen.getByRole("combobox", { name: "Kind" }));
  await user.click(screen.getByRole("option", { name: "Anthropic" }));
  await press("Save changes");
  const question = within(await screen.findByRole("alertdialog", { name: "Change the kind to Anthropic?" }));
  question.getByText(/The stored API key is kept/);
  expect(sent()).toEqual([]);
  await user.click(question.getByRole("button", { name: "Change kind" }));
  await vi.waitFor(() => expect(sent()).toMatchObject([{ kind: "anthropic" }]));
});
