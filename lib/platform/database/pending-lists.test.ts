import { expect, it, vi } from "vitest";
import { PendingLists } from "./pending-lists";

const FULL = 4 * 1024 * 1024;

it("merges after four megabytes, once at a time, and again after the next", async () => {
  const ends: (() => void)[] = [];
  const merge = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
  const lists = new PendingLists(merge);
  lists.note(FULL - 1);
  expect(merge).not.toHaveBeenCalled();
  lists.note(1);
  lists.note(2 * FULL);
  expect(merge).toHaveBeenCalledTimes(1);
  ends[0]?.();
  await lists.settled();
  lists.note(1);
  expect(merge).toHaveBeenCalledTimes(2);
});

it("merges for a search after half a megabyte", async () => {
  const merge = vi.fn(() => Promise.resolve());
  const lists = new PendingLists(merge);
  lists.note(FULL / 8 - 1);
  lists.noteSearch();
  expect(merge).not.toHaveBeenCalled();
  lists.note(1);
  lists.noteSearch();
  expect(merge).toHaveBeenCalledTimes(1);
  await lists.settled();
  lists.noteSearch();
  expect(merge).toHaveBeenCalledTimes(1);
});

it("goes on after a failure", async () => {
  const merge = vi.fn(() => Promise.reject(new Error("gone")));
  const lists = new PendingLists(merge);
  lists.note(FULL);
  await lists.settled();
  lists.note(FULL);
  expect(merge).toHaveBeenCalledTimes(2);
});
