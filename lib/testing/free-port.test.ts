import { expect, it } from "vitest";
import { freePort } from "./free-port";

it("gives each of a process's servers another port before they listen", async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort));
  expect(new Set(ports).size).toBe(50);
});
