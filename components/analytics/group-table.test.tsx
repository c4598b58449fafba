import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { Sums, Usage } from "@/lib/features/analytics/usage-contract";
import { loadAnalyticsState, narrowedBy, narrowedLink, sortOf } from "./analytics-state";
import { groupRowsOf, LatencyTable, UsageTable } from "./group-table";

const sums: Sums = {
  requests: 12,
  succeeded: 9,
  failed: 2,
  blocked: 1,
  cancelled: 0,
  spend_usd: 1.5,
  unpriced_requests: 1,
  tokens_prompt: 10,
  tokens_completion: 5,
  tokens_cached: 0,
  tokens_per_second: 42,
};
const totals = { ...sums, time_to_first_token: { p50: 100, p95: 1500, p99: 2500 }, duration: null };
const usage = (id: string | null): Usage => ({
  from: "2026-03-01T00:00:00.000Z",
  to: "2026-03-02T00:00:00.000Z",
  bucket_seconds: 3600,
  totals,
  previous: totals,
  series: [],
  groups: [{ id, name: id, totals, previous: sums, series: [] }],
  other: { count: 3, totals: sums, previous: sums, series: [] },
});
const stateOf = (query: string) => loadAnalyticsState(new URLSearchParams(query));
const rowsOf = (query: string, id: string | null) => {
  const state = stateOf(query);
  const { from, to } = usage(id);
  const counted = { workspace: state.workspace, from, to, only: narrowedBy(state) };
  return groupRowsOf(usage(id), state.by, counted, (group) => narrowedLink(state, group));
};
const searchOf = (name: string) => {
  const url = new URL(screen.getByRole("link", { name }).getAttribute("href") ?? "", "http://console");
  return [url.pathname, Object.fromEntries(url.searchParams)];
};
const sort = { value: "-spend", onChange: vi.fn() };

it("a row links to the page narrowed to its group, and its figures to the log with the same filters", () => {
  render(<UsageTable rows={rowsOf("by=app&model=a,b&range=30d", "Desk, Inc.")} by="app" measure="spend" sort={sort} />);
  expect(searchOf("Desk, Inc.")).toEqual(["/analytics", { app: "Desk%2C Inc.", model: "a,b", range: "30d" }]);
  expect(searchOf("Show 2 failed of Desk, Inc.")).toEqual([
    "/generations",
    { from: usage(null).from, to: usage(null).to, model: "a,b", app: "Desk%2C Inc.", status: "failed" },
  ]);
  const [, , other] = screen.getAllByRole("row");
  expect(within(other as HTMLElement).queryByRole("link")).toBeNull();
  expect(screen.getAllByText("+ 1 request without a price")).toHaveLength(2);
});

it("a tag within other tags has no link to the log, which lists requests with any of them", () => {
  render(<UsageTable rows={rowsOf("by=tag&tag=batch", "team:ads")} by="tag" measure="spend" sort={sort} />);
  expect(screen.queryByRole("link", { name: /^Show/ })).toBeNull();
});

it("every figure sorts, from the highest value down", async () => {
  render(<UsageTable rows={rowsOf("", "a")} by="model" measure="spend" sort={sort} />);
  expect(screen.getByRole("columnheader", { name: "Spend" }).getAttribute("aria-sort")).toBe("descending");
  for (const [header, expected] of [
    ["Change", "-change"],
    ["Failed", "-errors"],
    ["Tokens/s", "-tokens_per_second"],
  ] as const) {
    await userEvent.click(screen.getByRole("button", { name: header }));
    expect(sort.onChange).toHaveBeenLastCalledWith(expected);
  }
});

it("groups without percentiles aren't in the table of latencies", () => {
  render(<LatencyTable rows={rowsOf("by=key", "a")} by="key" measure="spend" sort={sort} />);
  const rows = within(screen.getByRole("table", { name: "Latency by key" })).getAllByRole("row");
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    "Keyp50 first tokenp95 first tokenp99 first tokenp50 durationp95 durationp99 duration",
    "a100 ms1.5 s2.5 s–––",
  ]);
  expect(screen.getByText(/latest 2,000 requests/)).toBeDefined();
});

it("knows the orders of groups", () => {
  expect(
    ["-spend", "spend", "-duration_p95", "price", null].map((value) => sortOf({ sort: value, measure: "spend" })),
  ).toEqual([null, "spend", "-duration_p95", null, null]);
  expect(Object.keys(narrowedBy(stateOf("model=a&tag=b")))).toEqual(["model", "tag"]);
});
