import { describe, expect, it } from "vitest";
import { OutboundFailure } from "../../platform/outbound/failure";
import { BrokenResponse } from "./broken-response";
import { endpointOf } from "../../testing/endpoints";
import {
  AttemptFailed,
  clientHints,
  describeFailures,
  isEndpointFault,
  retryDelayIn,
  statusForCaller,
  toFailure,
  upstreamErrorIn,
} from "./upstream-failure";

describe("statusForCaller", () => {
  it.each([
    [429, 429],
    [529, 529],
    [408, 524],
    [504, 524],
    [524, 524],
    [400, 400],
    [404, 404],
    [413, 413],
    [422, 400],
    [401, 502],
    [402, 502],
    [403, 502],
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
    [new BrokenResponse("cut", "{", { status: 503 }), { status: 503, message: "cut", raw: "{" }],
    [new TypeError("oops"), { status: null, message: "oops" }],
    ["oops", { status: null, message: "oops" }],
  ])("%s", (error, expected) => expect(toFailure(error)).toMatchObject(expected));

  it("truncates the upstream's message", () =>
    expect(toFailure(new BrokenResponse("long", "x".repeat(1e6))).raw).toHaveLength(10_000));
});

describe("several failures", () => {
  const failures = (...given: (AttemptFailed | [status: number | null, retryAfterMs?: number])[]) =>
    given.map((one, index) => ({
      endpoint: endpointOf({ provider: { name: `P${index}` } }),
      failure:
        one instanceof AttemptFailed
          ? one
          : new AttemptFailed(one[0], `no ${index}`, {
              raw: JSON.stringify({ error: { message: `no ${index}`, code: `c${index}` } }),
              retryAfterMs: one[1] ?? null,
            }),
    }));
  const late = new AttemptFailed(null, "late", { isTimeout: true });

  it.each<[string, ReturnType<typeof failures>, number, string]>([
    ["the rate limit over no connection", failures([429], [null]), 429, "no 0"],
    ["the rate limit over an overload", failures([529], [429]), 429, "no 1"],
    ["an overload over a timeout", failures([529], late), 529, "no 0"],
    ["the provider's credentials, without what it says of them", failures([401]), 502, "Provider returned error"],
    ["a timeout over an error", failures(late, [500]), 524, "Request timed out. Please try again later."],
    ["an invalid request over all", failures([429], [503], [400]), 400, "no 2"],
    ["the last of equals", failures([429], [429]), 429, "no 1"],
  ])("%s", (_name, given, status, message) => expect(describeFailures(given)).toMatchObject({ status, message }));

  it("lists the others in order", () => {
    const { provider_name, previous_errors } = describeFailures(failures([500], [429], [503]));
    expect([provider_name, previous_errors.map(({ code }) => code)]).toEqual(["P1", [500, 503]]);
  });

  it.each([
    ["the shortest delay of endpoints with the same status", failures([429, 30_000], [429, 1500], [503, 10]), "2"],
    ["none without one", failures([429], [503, 10]), null],
    ["at most a day", failures([429, 1e20]), "86400"],
  ])("clients retry after %s", (_name, given, expected) => expect(clientHints(given).retryAfter).toBe(expected));

  it("the upstream's code and text are known unless they concern the provider's credentials", () => {
    for (const status of [404, 500, 503, 529])
      expect(clientHints(failures([status])).upstream).toMatchObject({ message: "no 0", code: "c0" });
    for (const status of [401, 402, 403]) expect(clientHints(failures([status])).upstream).toBeNull();
  });
});

it.each<[string, object | null]>([
  ['{"error":{"message":"m","code":"c","type":"t","param":"p"}}', { message: "m", code: "c", type: "t", param: "p" }],
  ['{"error":{"message":"m","code":404}}', { message: "m", code: null, type: null, param: null }],
  ['{"error":"m"}', { message: "m" }],
  [
    '{"type":"error","error":{"type":"invalid_request_error","message":"m","details":{"error_code":"c"}},"request_id":"r"}',
    { message: "m", type: "invalid_request_error", code: "c" },
  ],
  ['{"object":"error","message":"m","type":"BadRequestError","code":400}', { message: "m", type: "BadRequestError" }],
  ['{"detail":"m"}', { message: "m" }],
  ['{"type":"error","code":"c","message":"m","param":null}', { message: "m", code: "c", type: null }],
  ['{"type":"response.failed","response":{"error":{"code":"c","message":"m"}}}', { message: "m", code: "c" }],
  ['[{"error":{"code":400,"message":"m","status":"INVALID_ARGUMENT"}}]', { message: "m", code: "INVALID_ARGUMENT" }],
  ['{"error":{"code":"c"}}', null],
  ["<html>", null],
  ["null", null],
  ["", null],
])("an upstream's error %s", (raw, expected) => {
  const read = upstreamErrorIn(raw);
  if (expected) expect(read).toMatchObject(expected);
  else expect(read).toBeNull();
});

it.each<[string, number | null]>([
  [
    '{"error":{"details":[{"@type":"x"},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"7.5s"}]}}',
    7500,
  ],
  ['[{"error":{"details":[{"retryDelay":"0s"}]}}]', 0],
  ['{"error":{"details":[{"retryDelay":"soon"}]}}', null],
  ['{"error":"m"}', null],
  ["<html>", null],
])("the delay in %s is %j ms", (raw, ms) => expect(retryDelayIn(raw)).toBe(ms));
