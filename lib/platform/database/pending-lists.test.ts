import { expect, it, vi } from "vitest";
import { PendingLists } from "./pending-lists";

const MEGABYTE = 1024 * 1024;

it("merges after a megabyte, once at a time, and again after the next", async () => {
  const ends: (() => void)[] = [];
  const merge = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
  const lists = new PendingLists(merge);
  lists.note(MEGABYTE - 1);
  expect(merge).not.toHaveBeenCalled();
  lists.note(1);
  lists.note(2 * MEGABYTE);
  expect(merge).toHaveBeenCalledTimes(1);
  ends[0]?.();
  await lists.settled();
  lists.note(1);
  expect(merge).toHaveBeenCalledTimes(2);
});

it("goes on after a failure", async () => {
  const merge = vi.fn(() => Promise.reject(new Error("gone")));
  const lists = new PendingLists(merge);
  lists.note(MEGABYTE);
  await lists.settled();
  lists.note(MEGABYTE);
  expect(merge).toHaveBeenCalledTimes(2);
});
