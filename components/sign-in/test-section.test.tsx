import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { SignInConnection, SignInTest } from "@/lib/records/sign-in-connections/contract";
import { TestSection } from "./test-section";

const ID = "01980000-0000-7000-8000-000000000001";
const TEST_ID = "01980000-0000-7000-8000-000000000002";
const TEST: SignInTest = {
  id: TEST_ID,
  status: "succeeded",
  error: null,
  join: "creates",
  refusal: null,
  person: { subject: "ada", email: "ada@acme.com", first_name: "Ada", last_name: null, groups: ["engineers"] },
  claims: { sub: "ada", groups: ["engineers"] },
  created_at: "2026-01-01T00:00:00.000Z",
};

const open = vi.fn<typeof window.open>();
const fetch = vi.fn<(url: string, request: RequestInit) => Promise<Response>>();
beforeEach(() => {
  vi.stubGlobal("fetch", fetch.mockReset());
  open.mockReset().mockReturnValue(window);
  vi.spyOn(window, "open").mockImplementation(open);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const URL = "http://127.0.0.1/start";

async function show(test: SignInTest | null) {
  const started = { data: { id: TEST_ID, url: URL } };
  fetch.mockImplementation(async (_, { method }) =>
    method === "POST"
      ? test
        ? new Response(JSON.stringify(started), { status: 201 })
        : new Response(JSON.stringify({ error: { code: 409, message: "Enter the provider's settings first" } }), {
            status: 409,
          })
      : new Response(JSON.stringify({ data: test })),
  );
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TestSection connection={{ id: ID } as SignInConnection} isUnsaved={false} />
    </QueryClientProvider>,
  );
  await userEvent.setup().click(screen.getByRole("button", { name: "Test sign-in" }));
}

it("opens the provider in a tab, and shows the claims", async () => {
  await show(TEST);
  await screen.findByText("The test succeeded");
  expect(open.mock.calls).toEqual([[URL, "_blank"]]);
  expect(screen.getByRole("table").textContent).toContain(`groups["engineers"]`);
  screen.getByText("Creates an account, and signs in");
});

it("shows what the provider got wrong", async () => {
  await show({
    ...TEST,
    status: "failed",
    error: "The ID token is of another issuer",
    join: null,
    person: null,
    claims: null,
  });
  await screen.findByText("The ID token is of another issuer");
  expect(screen.queryByRole("table")).toBeNull();
});

it("says that it waits", async () => {
  await show({ ...TEST, status: "pending", join: null, person: null, claims: null });
  await screen.findByText("Waiting for the sign-in in the other tab");
});

it("opens no tab if the test can't start, which may need a confirmation on this page", async () => {
  await show(null);
  await screen.findByText("Enter the provider's settings first");
  expect(open).not.toHaveBeenCalled();
});

it("shows a link if the browser blocks the tab", async () => {
  open.mockReturnValue(null);
  await show(TEST);
  expect((await screen.findByRole("link", { name: "Open the provider" })).getAttribute("href")).toBe(URL);
});
