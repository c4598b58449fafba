import { expect, it } from "vitest";
import { requestIdOf } from "./request-id.mjs";

it("keeps a valid request id and replaces others", () => {
  expect(requestIdOf("trace-1234:5.6")).toBe("trace-1234:5.6");
  for (const bad of ["short", "has space in it", "<script>alert(1)</script>", "x".repeat(129), null, undefined])
    expect(requestIdOf(bad)).toMatch(/^req-[0-9a-f-]{36}$/);
});
