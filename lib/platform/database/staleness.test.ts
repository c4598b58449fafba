import { expect, it } from "vitest";
import { Staleness } from "./staleness";

it("is unknown until a position of the primary was replayed", () => {
  const staleness = new Staleness();
  expect(staleness.at(0)).toBe(Infinity);
  staleness.noteWritten(1000, 50n);
  staleness.noteReplayed(49n);
  expect(staleness.at(1000)).toBe(Infinity);
  staleness.noteReplayed(50n);
  expect(staleness.at(1200)).toBe(200);
});

it("counts from the newest position that was replayed", () => {
  const staleness = new Staleness();
  for (const step of [1, 2, 3, 4]) staleness.noteWritten(step * 1000, BigInt(step * 10));
  staleness.noteReplayed(35n);
  expect(staleness.at(5000)).toBe(2000);
  staleness.noteReplayed(35n);
  expect(staleness.at(6000)).toBe(3000);
});

it("stays zero on an idle primary", () => {
  const staleness = new Staleness();
  for (const at of [1000, 2000, 3000]) {
    staleness.noteWritten(at, 10n);
    staleness.noteReplayed(10n);
  }
  expect(staleness.at(3000)).toBe(0);
});

it("starts over when the standby is ahead of its primary, which was replaced", () => {
  const staleness = new Staleness();
  staleness.noteWritten(1000, 100n);
  staleness.noteReplayed(100n);
  staleness.noteWritten(2000, 90n);
  expect(staleness.at(2000)).toBe(Infinity);
});
