import { describe, expect, it, vi } from "vitest";
import { following, PlainSignal, standardSignal, unlessAborted, type Signal } from "./signal";

interface Made {
  signal: Signal;
  abort: (reason?: unknown) => void;
}

describe.each<[string, () => Made]>([
  [
    "the runtime",
    () => {
      const controller = new AbortController();
      return { signal: controller.signal, abort: (reason) => controller.abort(reason) };
    },
  ],
  [
    "ours",
    () => {
      const signal = new PlainSignal();
      return { signal, abort: (reason) => signal.abort(reason) };
    },
  ],
])("a signal of %s", (_, create) => {
  it("calls its listeners once, with a reason", () => {
    const { signal, abort } = create();
    const [first, second, removed] = [vi.fn(), vi.fn(), vi.fn()];
    for (const listener of [first, first, second, removed]) signal.addEventListener("abort", listener, { once: true });
    signal.removeEventListener("abort", removed);
    expect(signal.aborted).toBe(false);
    signal.throwIfAborted();
    abort(new Error("first"));
    abort(new Error("second"));
    expect([first, second, removed].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 0]);
    expect(signal).toMatchObject({ aborted: true, reason: new Error("first") });
    expect(() => signal.throwIfAborted()).toThrow("first");
  });

  it("has an AbortError without a reason", () => {
    const { signal, abort } = create();
    abort();
    expect(signal.reason).toMatchObject({ name: "AbortError", message: "This operation was aborted" });
  });

  it("lets listeners remove others while it aborts", () => {
    const { signal, abort } = create();
    const last = vi.fn();
    const remove = () => signal.removeEventListener("abort", remove);
    signal.addEventListener("abort", remove);
    signal.addEventListener("abort", last);
    abort();
    expect(last).toHaveBeenCalledOnce();
  });

  it("is followed, now and later", () => {
    const { signal, abort } = create();
    const [own, standard] = [following(signal), standardSignal(signal)];
    expect([own.aborted, standard.aborted]).toEqual([false, false]);
    abort(new Error("left"));
    for (const follower of [own, standard, following(signal), standardSignal(signal)])
      expect(follower).toMatchObject({ aborted: true, reason: new Error("left") });
  });
});

it("follows a signal until it is aborted by itself", () => {
  const signal = new PlainSignal();
  const own = following(signal);
  own.abort(new Error("own"));
  signal.abort(new Error("other"));
  expect(own.reason).toEqual(new Error("own"));
});

it("ends work when it aborts, and has no listener after work that ended before", async () => {
  const signal = new PlainSignal();
  const [added, removed] = [vi.spyOn(signal, "addEventListener"), vi.spyOn(signal, "removeEventListener")];
  expect(await unlessAborted(signal, Promise.resolve(1))).toBe(1);
  await expect(unlessAborted(signal, Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  expect(removed.mock.calls).toEqual(added.mock.calls.map(([type, listener]) => [type, listener]));
  const pending = unlessAborted(signal, new Promise(() => undefined));
  signal.abort(new Error("lost"));
  await expect(pending).rejects.toThrow("lost");
  await expect(unlessAborted(signal, new Promise(() => undefined))).rejects.toThrow("lost");
});
