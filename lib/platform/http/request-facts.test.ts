import { describe, expect, it } from "vitest";
import { clientAttributes, parseIfMatch, requestOrigin } from "./request-facts";

const request = (headers: Record<string, string>) => new Request("http://127.0.0.1:3000/session", { headers });

describe("the origin of a request", () => {
  it.each([
    // headers, proxy trusted, origin
    [{}, false, "http://127.0.0.1:3000"],
    [{ host: "signalbox.example" }, false, "http://signalbox.example"],
    [
      { host: "signalbox.example", "x-forwarded-proto": "https", "x-forwarded-host": "evil.example" },
      false,
      "http://signalbox.example",
    ],
    [
      { host: "10.0.0.1:3000", "x-forwarded-proto": "https", "x-forwarded-host": "signalbox.example" },
      true,
      "https://signalbox.example",
    ],
    [{ host: "signalbox.example", "x-forwarded-proto": "https" }, true, "https://signalbox.example"],
    [{ host: "signalbox.example", "x-forwarded-proto": "http, https" }, true, "https://signalbox.example"],
    [{ host: "signalbox.example", "x-forwarded-proto": "javascript" }, true, "http://signalbox.example"],
    [{ host: "signalbox.example", "x-forwarded-host": "bad host" }, true, "http://127.0.0.1:3000"],
  ])("of %j, proxy trusted: %s, is %s", (headers, trustsProxy, origin) => {
    expect(requestOrigin(request(headers), { trustsProxy, publicUrl: undefined })).toBe(origin);
  });

  it("is the configured one, whatever the request names", () => {
    const settings = { trustsProxy: true, publicUrl: "https://signalbox.example" };
    expect(requestOrigin(request({ host: "evil.example", "x-forwarded-proto": "http" }), settings)).toBe(
      "https://signalbox.example",
    );
  });
});

it.each([
  [null, null],
  ["*", null],
  ['"3"', [3]],
  ['"3", "4"', [3, 4]],
  ['W/"3"', []],
  ["3", []],
])("If-Match %s is parsed as %j", (header, revisions) => {
  expect(parseIfMatch(header)).toEqual(revisions);
});

it.each([
  ["context-1m-2025-08-07, files-api-2025-04-14", "context-1m-2025-08-07, files-api-2025-04-14"],
  ["a\u00e9", null],
  ["a;b", null],
  ["Project_Falcon", null],
  ["a".repeat(65), null],
  [Array(21).fill("a").join(","), null],
])("features in beta %j are %j", (given, expected) => {
  expect(clientAttributes(new Headers({ "anthropic-beta": given })).anthropicBeta).toBe(expected);
});

it.each([
  ["responses=v1", "responses=v1"],
  ["assistants=v2, realtime=v1", "assistants=v2, realtime=v1"],
  ["responses_websockets=2026-02-06", "responses_websockets=2026-02-06"],
  ["Bearer secret", null],
  ["a=b=c", null],
  ["a".repeat(65), null],
  [Array(11).fill("a").join(","), null],
])("features in beta of OpenAI's clients %j are %j", (given, expected) => {
  expect(clientAttributes(new Headers({ "openai-beta": given })).openaiBeta).toBe(expected);
});

it.each([
  ["eve", "eve"],
  ["x".repeat(600), "x".repeat(600)],
  ["", null],
])("the end user %j of a header is %j", (given, expected) => {
  expect(clientAttributes(new Headers({ "x-signalbox-end-user": given })).endUser).toBe(expected);
});
