import { expect, it } from "vitest";
import { AddressLimit } from "./address-limit.mjs";

it("tells clients apart that have no address", () => {
  const limit = new AddressLimit(1);
  expect(
    ["198.51.100.1:4000", "198.51.100.1:4001", "198.51.100.1:4000"].map((name) => Boolean(limit.take(name))),
  ).toEqual([true, true, false]);
});

it("admits as many as the limit at a time, and forgets networks with nothing open", () => {
  const limit = new AddressLimit(2);
  const [first, second] = [limit.take("2001:db8::1"), limit.take("2001:db8::2")];
  expect([first, second, limit.take("2001:db8::3"), limit.take("192.0.2.1")].map(Boolean)).toEqual([
    true,
    true,
    false,
    true,
  ]);
  expect(limit.networks).toBe(2);
  first?.();
  first?.();
  expect([limit.take("2001:db8::3"), limit.take("2001:db8::4")].map(Boolean)).toEqual([true, false]);
});

it("counts down to no entry", () => {
  const limit = new AddressLimit(0);
  const releases = Array.from({ length: 100 }, (_, index) => limit.take(`192.0.2.${index}`));
  for (const release of releases) release?.();
  expect(limit.networks).toBe(0);
});
