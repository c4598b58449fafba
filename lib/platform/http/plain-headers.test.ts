import { describe, expect, it } from "vitest";
import { PlainHeaders } from "./plain-headers";

/** Runs the same steps on the runtime's headers. */
const both = (step: (headers: Headers) => unknown) => {
  const [plain, standard] = [new PlainHeaders({ "X-First": "1" }), new Headers({ "X-First": "1" })];
  const results = [step(plain), step(standard)];
  const all = (headers: Headers) => [...headers].toSorted(([a], [b]) => (a < b ? -1 : 1));
  expect(all(plain)).toEqual(all(standard));
  return results;
};

describe("PlainHeaders", () => {
  it.each<[string, (headers: Headers) => unknown]>([
    ["sets", (headers) => headers.set("ETag", "a")],
    ["replaces", (headers) => headers.set("x-first", "2")],
    [
      "reads without regard to case",
      (headers) => [headers.get("X-FIRST"), headers.has("x-First"), headers.get("none")],
    ],
    ["appends", (headers) => headers.append("X-First", "2")],
    ["deletes", (headers) => headers.delete("X-FIRST")],
    [
      "keeps cookies apart",
      (headers) => {
        headers.append("Set-Cookie", "a=1");
        headers.append("set-cookie", "b=2");
        return [headers.getSetCookie(), headers.get("set-cookie"), headers.has("Set-Cookie")];
      },
    ],
    [
      "replaces and deletes cookies",
      (headers) => {
        headers.append("set-cookie", "a=1");
        headers.set("set-cookie", "b=2");
        const replaced = headers.getSetCookie();
        headers.delete("set-cookie");
        return [replaced, headers.get("set-cookie")];
      },
    ],
    [
      "lists",
      (headers) => {
        const seen: string[] = [];
        headers.forEach((value, name) => seen.push(name, value));
        return [seen, [...headers.keys()], [...headers.values()]];
      },
    ],
  ])("%s like the runtime's", (_, step) => {
    const [plain, standard] = both(step);
    expect(plain).toEqual(standard);
  });

  it("becomes the headers of a standard response", () => {
    const headers = new PlainHeaders({ etag: '"1"' });
    headers.append("set-cookie", "a=1");
    const response = new Response(null, { status: 304, headers });
    expect([response.headers.get("etag"), response.headers.getSetCookie()]).toEqual(['"1"', ["a=1"]]);
  });
});
