import { describe, expect, it } from "vitest";
import { OutboundFailure } from "../../platform/outbound/failure";
import { BrokenAnswer } from "./broken-answer";
import { AttemptFailed, isEndpointFault, statusForCaller, toFailure } from "./upstream-failure";

describe("statusForCaller", () => {
  it.each([
    [429, 529],
    [529, 529],
    [408, 524],
    [504, 524],
    [524, 524],
    [400, 400],
    [413, 400],
    [422, 400],
    [401, 502],
    [404, 502],
    [307, 502],
    [500, 502],
    [503, 502],
    [null, 502],
  ])("%s becomes %i", (status, expected) => expect(statusForCaller(new AttemptFailed(status, "no"))).toBe(expected));

  it("identifies our own timeout", () =>
    expect(statusForCaller(new AttemptFailed(null, "late", { isTimeout: true }))).toBe(524));
});

it.each([
  [null, true],
  [307, true],
  [408, true],
  [429, true],
  [500, true],
  [529, true],
  [400, false],
  [401, false],
  [403, false],
  [404, false],
  [422, false],
])("%s is the endpoint's own fault: %s", (status, isFault) =>
  expect(isEndpointFault(new AttemptFailed(status, "no"))).toBe(isFault),
);

describe("toFailure", () => {
  it.each([
    [new OutboundFailure(null, "late", true), { status: null, message: "late", isTimeout: true, raw: null }],
    [new OutboundFailure(302, "elsewhere"), { status: 302, message: "elsewhere", isTimeout: false }],
    [new BrokenAnswer("cut", "{", 503), { status: 503, message: "cut", raw: "{" }],
    [new TypeError("oops"), { status: null, message: "oops" }],
    ["oops", { status: null, message: "oops" }],
  ])("%s", (error, expected) => expect(toFailure(error)).toMatchObject(expected));

  it("truncates the upstream's message", () =>
    expect(toFailure(new BrokenAnswer("long", "x".repeat(1e6))).raw).toHaveLength(10_000));
});
