import { expect, it, vi } from "vitest";
import { FairDispatch, type Due, type Shares } from "./fair-dispatch";

const SHARES: Shares = { total: 8, ofOrganization: 4, ofReceiver: 2 };

/** A queue of due work that a test ends. */
function queue(receivers: readonly string[], shares = SHARES) {
  const due = new Map<string, Due>();
  for (const [index, receiver] of receivers.entries())
    due.set(`${receiver}-${index}`, { id: `${receiver}-${index}`, receiver, organizationId: receiver.charAt(0) });
  const running = new Map<string, (hasRun: boolean) => void>();
  const failed = vi.fn<(error: unknown) => void>();
  const stop = new AbortController();
  const dispatch = new FairDispatch({
    find: () => Promise.resolve([...due.values()]),
    run: ({ id }) => {
      due.delete(id);
      return new Promise<boolean>((resolve) => running.set(id, resolve)).finally(() => running.delete(id));
    },
    shares,
    failed,
    signal: stop.signal,
  });
  return { dispatch, due, running, stop, failed };
}

const times = (count: number, receiver: string) => Array.from({ length: count }, () => receiver);

it("lets a receiver's work wait for that receiver only", async () => {
  const { dispatch, running } = queue([...times(200, "a1"), "a2", ...times(10, "b1")]);
  await dispatch.look();
  expect([...running.keys()]).toEqual(["a1-0", "a1-1", "a2-200", "b1-201", "b1-202"]);
});

it("starts the first of each receiver although others use their organization's share", async () => {
  const { dispatch, running } = queue([...times(3, "a1"), ...times(3, "a2"), ...times(3, "a3")]);
  await dispatch.look();
  expect([...running.keys()]).toEqual(["a1-0", "a1-1", "a2-3", "a2-4", "a3-6"]);
});

it("starts the next when one ends, and nothing more when the total is in use", async () => {
  const { dispatch, running, due } = queue(times(5, "a1"), { total: 1, ofOrganization: 9, ofReceiver: 9 });
  await dispatch.look();
  for (let left = 4; left >= 0; left--) {
    expect([running.size, due.size]).toEqual([1, left]);
    running.values().next().value?.(true);
    await vi.waitUntil(() => running.size === Math.min(left, 1) && due.size === Math.max(0, left - 1));
  }
  await dispatch.idle();
});

it("doesn't look at once for work that another process has or that fails", async () => {
  const { dispatch, running, due, failed } = queue(["a1"]);
  const find = vi.spyOn(due, "values");
  await dispatch.look();
  running.get("a1-0")?.(false);
  await dispatch.idle();
  expect(find).toHaveBeenCalledTimes(1);
  const broken = new FairDispatch({
    find: () => Promise.resolve([{ id: "1", receiver: "a1", organizationId: "a" }]),
    run: () => Promise.reject(new Error("lost")),
    shares: SHARES,
    failed,
    signal: new AbortController().signal,
  });
  await broken.look();
  await broken.idle();
  expect(failed.mock.calls).toEqual([[new Error("lost")]]);
});

it("starts nothing when the process stops", async () => {
  const { dispatch, running, stop } = queue(["a1"]);
  stop.abort();
  await dispatch.look();
  await dispatch.idle();
  expect(running.size).toBe(0);
});
