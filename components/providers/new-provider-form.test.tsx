import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { NewProviderForm } from "./new-provider-form";

const router = { push: vi.fn() };
vi.mock("@/lib/browser/page-router", () => ({ usePageRouter: () => router }));

const VENDOR = { slug: "openai", name: "OpenAI", base_url: "https://api.openai.com/v1", kind: "openai" } as const;
const fetch = vi.fn<(url: string, request: RequestInit) => Promise<Response>>();
beforeEach(() => vi.stubGlobal("fetch", fetch.mockReset()));
afterEach(() => vi.unstubAllGlobals());

function show() {
  const user = userEvent.setup();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <NewProviderForm vendors={[VENDOR]} />
    </QueryClientProvider>,
  );
  const field = (name: string) => screen.getByRole("textbox", { name });
  return {
    user,
    field,
    fill: async (name: string, text: string) => {
      await user.clear(field(name));
      await user.type(field(name), text);
    },
    submit: () => user.click(screen.getByRole("button", { name: "Add provider" })),
    chooseVendor: async () => {
      await user.click(screen.getByRole("combobox", { name: "Vendor" }));
      await user.click(screen.getByRole("option", { name: "OpenAI" }));
    },
  };
}

it("shows what is missing at its field, without sending it", async () => {
  const { submit } = show();
  await submit();
  await screen.findByRole("textbox", { name: "Name", description: /Name is required/ });
  await screen.findByRole("textbox", { name: "Slug", description: /must consist of lowercase letters/ });
  expect(fetch).not.toHaveBeenCalled();
});

it("ends the errors of the fields that a chosen vendor fills", async () => {
  const { submit, chooseVendor, field } = show();
  await submit();
  await screen.findByText(/must consist of lowercase letters/);
  await chooseVendor();
  expect(field("Base URL")).toHaveProperty("value", VENDOR.base_url);
  expect(screen.queryByText(/must consist of lowercase letters/)).toBeNull();
  expect(screen.queryByText("Name is required")).toBeNull();
});

it("rejects a base URL of another protocol", async () => {
  const { submit, chooseVendor, fill } = show();
  await chooseVendor();
  await fill("Base URL", "ftp://files.example");
  await submit();
  await screen.findByRole("textbox", { name: "Base URL", description: /must be an http or https URL/ });
  expect(fetch).not.toHaveBeenCalled();
});

it("shows a slug that exists at its field", async () => {
  const issues = [{ path: ["slug"], message: "already exists" }];
  const error = { code: 409, message: "Conflict", metadata: { issues } };
  fetch.mockResolvedValue(Response.json({ error }, { status: 409 }));
  const { submit, chooseVendor } = show();
  await chooseVendor();
  await submit();
  await screen.findByRole("textbox", { name: "Slug", description: /already exists/ });
  expect(router.push).not.toHaveBeenCalled();
});

it("folds kind, protocol and billing away while the address tells the kind, and takes the kind from it", async () => {
  const { user, fill, chooseVendor, submit } = show();
  const advanced = () => screen.getByText(/^Advanced/).closest("details");
  expect(advanced()?.open).toBe(false);
  await chooseVendor();
  expect(advanced()?.open).toBe(false);
  screen.getByText(/OpenAI-compatible · Chat Completions · Platform account/);
  await fill("Base URL", "https://api.anthropic.com/v1");
  await screen.findByText(/Anthropic · Messages · Platform account/);
  expect(advanced()?.open).toBe(false);
  await fill("Base URL", "https://llm.example.com/v1");
  expect(advanced()?.open).toBe(true);
  await fill("Base URL", VENDOR.base_url);
  expect(advanced()?.open).toBe(false);
  await user.click(screen.getByText(/^Advanced/));
  expect(advanced()?.open).toBe(true);
  await user.click(screen.getByText(/^Advanced/));
  const issues = [{ path: ["protocol"], message: "is not supported" }];
  fetch.mockResolvedValue(
    Response.json({ error: { code: 400, message: "Bad", metadata: { issues } } }, { status: 400 }),
  );
  await submit();
  await screen.findByText(/is not supported/);
  expect(advanced()?.open).toBe(true);
});
