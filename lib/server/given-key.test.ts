import { describe, expect, it } from "vitest";
import { givenKey, hasKey } from "./given-key";

describe("the key of a request", () => {
  it.each<[Record<string, string>, string | null]>([
    [{}, null],
    [{ authorization: "Bearer a" }, "a"],
    [{ "x-api-key": "a" }, "a"],
    [{ "api-key": "a" }, "a"],
    [{ authorization: "bearer  a", "x-api-key": "a", "api-key": "a" }, "a"],
    [{ authorization: "Bearer a", "x-api-key": "" }, "a"],
  ])("%j", (given, key) => {
    const headers = new Headers(given);
    expect([givenKey(headers), hasKey(headers)]).toEqual([key, key !== null]);
  });

  it.each<[Record<string, string>, string]>([
    [{ authorization: "" }, "Invalid credentials"],
    [{ authorization: "Basic a" }, "Invalid credentials"],
    [{ authorization: "Bearer a", "x-api-key": "b" }, "Invalid credentials: Authorization and x-api-key differ"],
    [{ authorization: "Basic a", "api-key": "a" }, "Invalid credentials: Authorization and api-key differ"],
    [{ "x-api-key": "a", "api-key": "b" }, "Invalid credentials: x-api-key and api-key differ"],
  ])("%j is rejected", (given, message) => {
    const headers = new Headers(given);
    expect(() => givenKey(headers)).toThrow(expect.objectContaining({ status: 401, message }));
    expect(hasKey(headers)).toBe(true);
  });
});
