import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { UserContext } from "@/components/session/user-context";
import { toast } from "@/components/ui/toast";
import type { Observations } from "@/lib/features/observations/contract";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import { ObservedCard } from "./observed-card";

vi.mock("@/components/ui/toast", () => ({ toast: { success: vi.fn() } }));

const GUARDRAIL = { id: "019aa000-0000-7000-8000-000000000000", name: "Trial", revision: 2 } as Guardrail;
const RANGE = { from: "2026-03-01T00:00:00.000Z", to: "2026-03-02T00:00:00.000Z" };
const NOTHING: Observations = { ...RANGE, requests: 0, rules: [], keys: [] };
const OBSERVED: Observations = {
  ...RANGE,
  requests: 1234,
  rules: [
    { field: "content_filter_builtins", rule: "email", action: "would_block", requests: 1000, keys: 2 },
    { field: "allowed_models", rule: null, action: "would_exclude", requests: 300, keys: 1 },
  ],
  keys: [
    { key_hash: "abc", key_name: "Support bot", requests: 1200 },
    { key_hash: null, key_name: null, requests: 34 },
  ],
};

const fetch = vi.fn<(url: string, request: RequestInit) => Promise<Response>>();
beforeEach(() => vi.stubGlobal("fetch", fetch.mockReset()));
afterEach(() => vi.unstubAllGlobals());

function show(answer: () => Response, searchParams = "") {
  fetch.mockImplementation(() => Promise.resolve(answer()));
  render(
    <NuqsTestingAdapter searchParams={searchParams} hasMemory>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <UserContext value={{ name: "Ada", permissions: ["guardrails:write"] }}>
          <ObservedCard guardrail={GUARDRAIL} />
        </UserContext>
      </QueryClientProvider>
    </NuqsTestingAdapter>,
  );
}

const returning = (data: object) => () => Response.json({ data });
const failing = (code: number, message: string) => () => Response.json({ error: { code, message } }, { status: code });

const linkOf = (link: HTMLElement) => {
  const url = new URL(link.getAttribute("href") ?? "", "http://console");
  return [url.pathname, Object.fromEntries(url.searchParams)];
};
const requestOf = (method: string) => fetch.mock.calls.find(([, request]) => (request.method ?? "GET") === method);

it("counts requests by rule and by key, with links to the log over the same range", async () => {
  show(returning(OBSERVED));
  const table = within(await screen.findByRole("table", { name: "Observed rules" }));
  expect(table.getAllByRole("row").map(({ textContent }) => textContent)).toEqual([
    "WouldRuleRequestsKeys",
    "BlockEmail addresses (content filter)1,0002",
    "ExcludeAllowed models3001",
  ]);
  screen.getByText("1,234 requests would have been affected.");
  const guardrail_id = GUARDRAIL.id;
  expect(linkOf(table.getByRole("link", { name: "Email addresses" }))).toEqual([
    "/generations",
    { ...RANGE, guardrail_id, action: "would_block", rule: "email" },
  ]);
  expect(linkOf(table.getByRole("link", { name: "Allowed models" }))).toEqual([
    "/generations",
    { ...RANGE, guardrail_id, action: "would_exclude", rule: "allowed_models" },
  ]);
  const keys = within(screen.getByRole("list", { name: "Observed keys" }));
  expect(linkOf(keys.getByRole("link"))).toEqual([
    "/generations",
    { ...RANGE, guardrail_id, key_hash: "abc", action: "would_block,would_redact,would_flag,would_exclude" },
  ]);
  expect(keys.getByText("Deleted keys").closest("li")?.textContent).toBe("Deleted keys34");
});

it("asks for the last 24 hours, or for the range in the URL", async () => {
  show(returning(NOTHING), `?from=${RANGE.from}&to=${RANGE.to}`);
  await screen.findByText("Nothing would have been changed in this time.");
  const search = new URL(requestOf("GET")?.[0] ?? "", "http://console").searchParams;
  expect(Object.fromEntries(search)).toEqual(RANGE);
  await userEvent.setup().click(screen.getByRole("button", { name: /Time range/ }));
  await userEvent.setup().click(screen.getByRole("button", { name: "Last 24 hours" }));
  await expect.poll(() => fetch.mock.calls.length).toBe(2);
  const { from, ...open } = Object.fromEntries(new URL(fetch.mock.calls[1]?.[0] ?? "", "http://console").searchParams);
  expect(open).toEqual({});
  expect((Date.now() - Date.parse(from ?? "")) / 3_600_000).toBeCloseTo(24, 1);
});

it("says what is loading, and reports a failure", async () => {
  show(failing(500, "Internal error"));
  expect(screen.getByRole("status").textContent).toContain("Loading observations");
  expect((await screen.findByRole("alert")).textContent).toContain("Couldn’t load observations");
});

it("enforces the guardrail after a question, and reports that somebody else has changed it", async () => {
  const user = userEvent.setup();
  show(returning(NOTHING));
  await user.click(screen.getByRole("button", { name: "Enforce…" }));
  const question = within(screen.getByRole("alertdialog", { name: "Enforce “Trial”?" }));
  const confirm = () => user.click(question.getByRole("button", { name: "Enforce guardrail" }));
  expect(requestOf("PATCH")).toBeUndefined();
  fetch.mockImplementation(() => Promise.resolve(failing(412, "the guardrail has changed")()));
  await confirm();
  expect((await question.findByRole("alert")).textContent).toContain("the guardrail has changed");
  const [url, { body, headers }] = requestOf("PATCH") ?? ["", {}];
  expect([url, body, new Headers(headers).get("if-match")]).toEqual([
    `/v1/guardrails/${GUARDRAIL.id}`,
    JSON.stringify({ mode: "enforce" }),
    '"2"',
  ]);
  fetch.mockImplementation(() => Promise.resolve(returning({ ...GUARDRAIL, mode: "enforce", revision: 3 })()));
  await confirm();
  await expect
    .poll(() => vi.mocked(toast.success).mock.calls)
    .toEqual([["“Trial” enforced", { description: "Saved as revision 3." }]]);
});
