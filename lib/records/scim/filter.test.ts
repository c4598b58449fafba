import { describe, expect, it } from "vitest";
import { groupFilter, userFilter } from "./filter-rows";

const refused = (scim_type: string, detail: RegExp) =>
  expect.objectContaining({
    status: 400,
    message: expect.stringMatching(detail) as unknown,
    metadata: { scim_type },
  }) as Error;

describe("a filter", () => {
  it.each<[filter: string, detail: RegExp]>([
    ["userName", /invalid/],
    ["userName eq", /invalid/],
    ['userName is "a"', /invalid/],
    ['(userName eq "a"', /invalid/],
    ['userName eq "a" nonsense', /invalid/],
    ['title eq "a"', /"title eq" isn't supported/],
    ["userName gt 1", /"userName gt" isn't supported/],
    ['active eq "true"', /"active eq" isn't supported/],
    ['displayName co "a"', /"displayName co" isn't supported/],
    ['meta.created gt "soon"', /"meta.created gt" isn't supported/],
    ['meta.created gt "0000-01-01T00:00:00Z"', /"meta.created gt" isn't supported/],
    ['meta.lastModified lt "-271821-04-20T00:00:00Z"', /"meta.lastModified lt" isn't supported/],
    [`userName eq "${"\n".repeat(60)}`, /control characters/],
    [`userName eq "${"a".repeat(2000)}"`, /at most 2000 characters/],
    [Array<string>(51).fill("active eq true").join(" or "), /at most 50 comparisons/],
    [`${"not(".repeat(30)}active eq true${")".repeat(30)}`, /at most 20 levels/],
  ])("%s is refused", (filter, detail) => {
    expect(() => userFilter(filter)).toThrow(refused("invalidFilter", detail));
  });

  it("of groups has its own attributes", () => {
    expect(() => groupFilter('userName eq "a"')).toThrow(refused("invalidFilter", /isn't supported/));
    expect(groupFilter(undefined)).toEqual({});
  });
});
