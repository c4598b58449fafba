import { expect, it } from "vitest";
import { withRange } from "./range";

const NOW = new Date("2026-11-28T12:00:00Z");
const ID = `gen-1789000000-${"a".repeat(20)}`;

it.each([
  ["nothing", {}, "2026-10-29T12:00:00.000Z"],
  ["a start", { from: "2020-01-01T00:00:00Z" }, "2020-01-01T00:00:00Z"],
  ["an end", { to: "2026-03-31T00:00:00Z" }, "2026-03-01T00:00:00.000Z"],
  ["an end in the future", { to: "2027-03-31T00:00:00Z" }, "2026-10-29T12:00:00.000Z"],
  ["words", { q: "penguins" }, "2026-10-29T12:00:00.000Z"],
  ["an id", { q: ID }, undefined],
])("the start of a list with %s", (_name, filters, from) => {
  expect(withRange(filters, NOW)).toEqual({ ...filters, ...(from && { from }) });
});
