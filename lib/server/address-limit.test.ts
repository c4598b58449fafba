import { expect, it } from "vitest";
import { AddressLimit, clientNetwork } from "./address-limit.mjs";

it.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "8193:3512:1:2"],
  ["2001:db8:1:2::1", "8193:3512:1:2"],
  ["unknown", "unknown"],
])("counts %j as %j", (address, network) => expect(clientNetwork(address)).toBe(network));

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
