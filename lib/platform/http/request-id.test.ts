import { expect, it } from "vitest";
import { requestTimes } from "../ids";
import { requestIdOf } from "./request-id.mjs";

it("contains the time of a new one", () => {
  const now = new Date("2026-11-29T14:03:07.123Z");
  const { gte, lt } = requestTimes(requestIdOf(null, now)) ?? {};
  expect([gte, lt]).toEqual([new Date("2026-11-29T14:02:07.123Z"), new Date("2026-11-29T15:03:07.123Z")]);
  for (const given of ["trace-1234", requestIdOf(null), "req-01936f3a-7c1e-7abc-8def-0123456789ab-7"])
    expect(requestTimes(given)).toBeNull();
});

it("keeps a valid request id and replaces others", () => {
  expect(requestIdOf("trace-1234:5.6")).toBe("trace-1234:5.6");
  for (const bad of ["short", "has space in it", "<script>alert(1)</script>", "x".repeat(129), null, undefined])
    expect(requestIdOf(bad)).toMatch(/^req-[0-9a-f-]{36}$/);
});
