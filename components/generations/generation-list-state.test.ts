import { expect, it } from "vitest";
import {
  filterQuery,
  filtersOf,
  isNarrowed,
  loadFilterState,
  parsedSort,
  rememberedRange,
} from "./generation-list-state";

const NOW = Date.UTC(2026, 10, 28, 12);
const stateOf = (query: string) => loadFilterState(new URLSearchParams(query));

it.each([
  ["", { from: "2026-11-21T12:00:00.000Z" }],
  ["range=1h", { from: "2026-11-28T11:00:00.000Z" }],
  ["from=2026-01-01T00:00:00.000Z", { from: "2026-01-01T00:00:00.000Z" }],
  ["to=2026-01-01T00:00:00.000Z", { to: "2026-01-01T00:00:00.000Z" }],
])("the time of %j is that of its range, or the last 7 days", (query, filters) => {
  expect(filtersOf(stateOf(query), NOW)).toEqual(filters);
});

it.each([
  ["", ""],
  ["range=7d", ""],
  ["range=30d&status=failed", "status=failed&range=30d"],
  ["app=Ann%252C+Inc.,Other", "app=Ann%252C+Inc.%2COther"],
  ["range=30d&from=2026-01-01T00:00:00.000Z", "from=2026-01-01T00%3A00%3A00.000Z"],
])("the query of %j is %j", (query, expected) => {
  expect(filterQuery(stateOf(query))).toBe(expected);
});

it("a filter's value may contain a comma", () => {
  expect(stateOf("app=Ann%252C+Inc.,Other").app).toEqual(["Ann, Inc.", "Other"]);
});

it("the order is kept in links, and is no filter", () => {
  const state = stateOf("sort=-cost");
  expect(filterQuery(state)).toBe("sort=-cost");
  expect(filtersOf(state, NOW)).not.toHaveProperty("sort");
  expect(isNarrowed(state)).toBe(false);
  expect(["-cost", "created_at", "-created_at", "price", null].map(parsedSort)).toEqual([
    "-cost",
    "created_at",
    null,
    null,
    null,
  ]);
});

it.each([
  [{}, undefined, null],
  [{}, "7d", null],
  [{}, "forever", null],
  [{ range: "1h" }, "30d", null],
  [{ to: "2026-01-01T00:00:00.000Z" }, "30d", null],
  [{ status: ["failed", "blocked"], q: undefined }, "30d", "status=failed&status=blocked&range=30d"],
])("with %j in the URL and %j in the cookie, the page is opened with %j", (params, remembered, query) => {
  expect(rememberedRange(params, remembered)).toBe(query);
});
