import { describe, expect, it } from "vitest";
import { z } from "zod";
import { IdParams, operation } from "./operation";

const base = {
  id: "x",
  method: "POST",
  path: "/x",
  tag: "X",
  summary: "X",
  status: 200,
  result: z.object({}),
} as const;
const STORE = [502, 524, 529];
const sorted = (errors: readonly number[]) => [...new Set(errors)].sort((a, b) => a - b);

describe("the error statuses of an operation", () => {
  it("follow from its access and input", () => {
    expect(operation({ ...base, access: "public" }).errors).toEqual([500, ...STORE]);
    expect(operation({ ...base, access: "any" }).errors).toEqual([401, 403, 429, 500, ...STORE]);
    const everything = operation({
      ...base,
      access: "management",
      permission: "keys:write",
      params: IdParams,
      query: z.object({}),
      body: z.object({}),
      idempotent: true,
      ifMatch: true,
    });
    expect(sorted(everything.errors)).toEqual([400, 401, 403, 404, 409, 412, 413, 415, 429, 500, ...STORE]);
  });

  it("include 404 for a malformed path parameter, or 400 where declared", () => {
    const called = { ...base, access: "public", params: IdParams } as const;
    expect(operation(called).errors).toEqual([404, 500, ...STORE]);
    expect(operation({ ...called, invalidParams: 400 }).errors).toEqual([400, 500, ...STORE]);
  });

  it("include 403 for other sites on same-origin operations", () => {
    expect(operation({ ...base, access: "public", sameOrigin: true }).errors).toEqual([403, 500, ...STORE]);
  });

  it("include declared ones", () => {
    expect(operation({ ...base, access: "public", errors: [503, 502] }).errors).toEqual([500, ...STORE, 503]);
  });
});
