import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { UserContext } from "@/components/session/user-context";
import type { Permission } from "@/lib/platform/permissions";
import type { Limit } from "@/lib/records/limits/contract";
import { LimitForm } from "./limit-form";

vi.mock("@/lib/browser/page-router", () => ({ usePageRouter: () => ({ push: vi.fn() }) }));

const STORED: Limit = {
  id: "01980000-0000-7000-8000-000000000001",
  name: "Search team",
  workspace_id: null,
  subject_type: "tag",
  subject_ids: ["team:search"],
  subject_names: ["team:search"],
  metric: "spend",
  amount: 500,
  reset_interval: "monthly",
  time_zone: "Europe/Berlin",
  starts: { hour: 0, weekday: 1, month_day: 1 },
  include_byok: false,
  carry_over: false,
  enabled: true,
  closest: null,
  revision: 1,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: null,
};

const fetch = vi.fn<(url: string, request?: RequestInit) => Promise<Response>>();
beforeEach(() => {
  fetch
    .mockReset()
    .mockImplementation(async (_, { method = "GET" } = {}) =>
      method === "GET" ? Response.json({ data: [], total_count: 0 }) : new Promise<never>(() => undefined),
    );
  vi.stubGlobal("fetch", fetch);
});
afterEach(() => vi.unstubAllGlobals());

const sent = () =>
  fetch.mock.calls.flatMap(([url, { method = "GET", body } = {}]) =>
    method === "GET" ? [] : [[method, url, JSON.parse(typeof body === "string" ? body : "null") as unknown]],
  );

function show(limit: Limit | null = null, permissions: readonly Permission[] = ["budgets:read", "budgets:write"]) {
  const user = userEvent.setup();
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const form = (of: Limit | null) => (
    <QueryClientProvider client={client}>
      <UserContext value={{ name: "Ada", permissions }}>
        <LimitForm limit={of} />
      </UserContext>
    </QueryClientProvider>
  );
  const { rerender } = render(form(limit));
  const become = (next: Limit) => rerender(form(next));
  const box = (name: string | RegExp) =>
    screen.getByRole<HTMLInputElement>(name === "Time zone" ? "combobox" : "textbox", { name });
  const press = (name: string) => user.click(screen.getByRole("button", { name }));
  const choose = async (name: string, option: string) => {
    await user.click(screen.getByRole("combobox", { name }));
    await user.click(screen.getByRole("option", { name: option }));
  };
  const fill = async (name: string | RegExp, text: string) => {
    await user.clear(box(name));
    await user.click(box(name));
    await user.paste(text);
  };
  return { user, box, press, choose, fill, become };
}

it("creates a limit of requests for each end user, and says what it does", async () => {
  const { press, choose, fill } = show();
  await fill("Name", "End users");
  await choose("Applies to", "End users");
  await choose("Counts", "Requests");
  await fill("Limit (requests)", "60");
  screen.getByText(/^Each end user can use at most 60 requests per minute\. A limit that names an end user replaces/);
  await press("Create limit");
  await vi.waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()).toEqual([
    [
      "POST",
      "/v1/limits",
      expect.objectContaining({
        name: "End users",
        subject_type: "end_user",
        subject_ids: null,
        metric: "requests",
        amount: 60,
        reset_interval: "minutely",
      }),
    ],
  ]);
});

it("creates a limit on chosen tags that starts on another day", async () => {
  const { user, press, choose, fill } = show();
  await fill("Name", "Search");
  await choose("Applies to", "Tags");
  await choose("Tags", "Only the chosen ones");
  await user.click(screen.getByRole("combobox", { name: "Chosen tags" }));
  await user.keyboard("team:search{Enter}");
  await fill("Limit (USD)", "12.50");
  await user.click(screen.getByText("Period and counting"));
  await fill("Time zone", "Asia/Tokyo");
  await fill("First day of the month", "15");
  await user.click(screen.getByRole("switch", { name: "Carry over" }));
  screen.getByText(
    "The tag team:search can spend $12.50 per month. Months start on the 15th at 00:00 (Asia/Tokyo). What is unspent is added to the next period, once. Beyond it, requests are rejected (403).",
  );
  await press("Create limit");
  await vi.waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]?.[2]).toMatchObject({
    subject_type: "tag",
    subject_ids: ["team:search"],
    amount: 12.5,
    time_zone: "Asia/Tokyo",
    starts: { hour: 0, weekday: 1, month_day: 15 },
    carry_over: true,
  });
});

it("shows what is missing or wrong", async () => {
  const { user, press, choose, fill } = show();
  await choose("Applies to", "Keys that share a limit");
  await press("Create limit");
  await screen.findByText("Name is required");
  await screen.findByText("A value is required");
  expect(sent()).toEqual([]);
  await user.click(screen.getByText("Period and counting"));
  await fill("Time zone", "Mars");
  await press("Create limit");
  await screen.findByText(/must be a name of the time zone database/);
});

it("changes a stored limit, whose kind stays", async () => {
  const { press, fill } = show(STORED);
  expect(screen.queryByRole("combobox", { name: "Applies to" })).toBeNull();
  expect(screen.queryByRole("combobox", { name: "Counts" })).toBeNull();
  await fill("Limit (USD)", "750");
  await press("Save changes");
  await vi.waitFor(() => expect(sent()).toHaveLength(1));
  const [[method, url, body] = []] = sent();
  expect([method, url]).toEqual(["PATCH", `/v1/limits/${STORED.id}`]);
  expect(body).toEqual({ amount: 750 });
  const [, request] = fetch.mock.calls.find(([, { method = "GET" } = {}]) => method === "PATCH") ?? [];
  expect(new Headers(request?.headers).get("if-match")).toBe('"1"');
});

it("shows what somebody else has changed, and keeps the user's changes", async () => {
  const { press, fill, box, become } = show(STORED);
  fetch.mockImplementation(async (_, { method = "GET" } = {}) =>
    method === "GET"
      ? Response.json({ data: [], total_count: 0 })
      : Response.json({ error: { code: 412, message: "Changed" } }, { status: 412 }),
  );
  await fill("Limit (USD)", "750");
  await press("Save changes");
  await screen.findByText("This limit changed while you were editing");
  become({ ...STORED, name: "Renamed", revision: 2 });
  await vi.waitFor(() => expect(box("Name").value).toBe("Renamed"));
  expect(box("Limit (USD)").value).toBe("750");
  await press("Save changes");
  await vi.waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()[1]?.[2]).toEqual({ amount: 750 });
});

it("doesn't send a field again that was saved before and that somebody else has changed since", async () => {
  const { press, fill, box, become } = show(STORED);
  const saved = { ...STORED, amount: 750, revision: 2 };
  fetch.mockImplementation(async (_, { method = "GET" } = {}) =>
    Response.json(method === "GET" ? { data: [], total_count: 0 } : { data: saved }),
  );
  await fill("Limit (USD)", "750");
  await press("Save changes");
  await vi.waitFor(() => expect(screen.queryByRole("button", { name: "Discard changes" })).toBeNull());
  become({ ...saved, amount: 600, revision: 3 });
  await vi.waitFor(() => expect(box("Limit (USD)").value).toBe("600"));
  await fill("Name", "Search");
  await press("Save changes");
  await vi.waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()[1]?.[2]).toEqual({ name: "Search" });
});

it("a hidden field doesn't keep a limit from being saved", async () => {
  const { user, press, choose, fill } = show();
  await fill("Name", "Rate");
  await user.click(screen.getByText("Period and counting"));
  await fill("Time zone", "Berlin");
  await user.clear(screen.getByRole("textbox", { name: "First day of the month" }));
  await choose("Counts", "Requests");
  await fill("Limit (requests)", "60");
  await press("Create limit");
  await vi.waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]?.[2]).toMatchObject({ metric: "requests", starts: { hour: 0, weekday: 1, month_day: 1 } });
});

it("a limit that never resets doesn't carry over", async () => {
  const { press, choose } = show({ ...STORED, carry_over: true });
  await choose("Resets", "Never");
  await press("Save changes");
  await vi.waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]?.[2]).toEqual({ reset_interval: null, carry_over: false });
});

it("still carries over after another interval was looked at", async () => {
  const { press, choose, fill } = show({ ...STORED, carry_over: true });
  await choose("Resets", "Never");
  expect(screen.queryByText(/What is unspent is added/)).toBeNull();
  await choose("Resets", "Monthly");
  screen.getByText(/What is unspent is added/);
  await fill("Name", "Search");
  await press("Save changes");
  await vi.waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]?.[2]).toEqual({ name: "Search" });
});

it("names the chosen subjects, also once a search no longer finds them", async () => {
  const members = [{ id: "user_1", email: "ada@example.com", first_name: "Ada", last_name: "Lovelace" }];
  fetch.mockImplementation(async (url) => {
    const data = url.startsWith("/v1/organization/members") && !url.includes("q=") ? members : [];
    return Response.json({ data, total_count: data.length });
  });
  const { user, choose, fill } = show();
  await choose("Applies to", "Members");
  await choose("Members", "Only the chosen ones");
  await user.click(screen.getByRole("combobox", { name: "Chosen members" }));
  await user.click(await screen.findByRole("option", { name: /Ada Lovelace/ }));
  await user.keyboard("zzz");
  await vi.waitFor(() => expect(fetch.mock.calls.some(([url]) => url.includes("q=zzz"))).toBe(true));
  await fill("Limit (USD)", "5");
  await screen.findByText(/^The member Ada Lovelace.* can spend \$5\.00 per month/);
  expect(screen.queryByText("user_1")).toBeNull();
});

it("says why subjects can't be searched", async () => {
  fetch.mockImplementation(async (url) =>
    url.startsWith("/v1/organization/members")
      ? Response.json({ error: { code: 403, message: "Requires the permission members:read" } }, { status: 403 })
      : Response.json({ data: [], total_count: 0 }),
  );
  const { choose } = show();
  await choose("Applies to", "Members");
  await choose("Members", "Only the chosen ones");
  await screen.findByText("Requires the permission members:read");
});

it("searches no subjects for readers", async () => {
  show({ ...STORED, subject_type: "member", subject_ids: ["user_1"], subject_names: ["Ada"] }, ["budgets:read"]);
  await screen.findByText(/^The member Ada can spend/);
  expect(fetch).not.toHaveBeenCalled();
});
