import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { currentReach, isGatewayError, onReachChange, whenReady } from "./reach";

const answers: (number | "refused")[] = [];
const probe = vi.fn((_: string) => {
  const answer = answers.shift() ?? 200;
  return answer === "refused" ? Promise.reject(new TypeError("fetch failed")) : Promise.resolve({ status: answer });
});

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", probe);
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("navigator", { onLine: true });
  probe.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a failed request while the server is ready changes nothing", async () => {
  const changed = vi.fn();
  const stop = onReachChange(changed);
  await whenReady();
  stop();
  expect(currentReach()).toBe("online");
  expect(changed).not.toHaveBeenCalled();
  expect(probe).toHaveBeenCalledTimes(1);
});

test("an unreachable server is polled with growing pauses until it is ready", async () => {
  answers.push("refused", 502, 503, 200);
  const changed = vi.fn();
  const stop = onReachChange(changed);
  const ready = whenReady();
  void whenReady();
  await vi.advanceTimersByTimeAsync(0);
  expect([currentReach(), probe.mock.calls.length]).toEqual(["unreachable", 1]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(probe).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(probe).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(4_001);
  await ready;
  stop();
  expect([currentReach(), probe.mock.calls.length]).toEqual(["online", 4]);
  expect(changed).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(probe).toHaveBeenCalledTimes(4);
});

test("a browser that is back online checks at once", async () => {
  answers.push("refused", 200);
  const ready = whenReady();
  await vi.advanceTimersByTimeAsync(0);
  window.dispatchEvent(new Event("online"));
  await ready;
  expect(currentReach()).toBe("online");
});

test("a device without a connection is offline rather than cut off from the server", () => {
  vi.stubGlobal("navigator", { onLine: false });
  expect(currentReach()).toBe("offline");
});

test("an error without a request ID comes from a proxy", () => {
  expect(isGatewayError(new Response("Bad Gateway", { status: 502 }))).toBe(true);
  expect(isGatewayError(new Response("{}", { status: 502, headers: { "x-request-id": "req-1" } }))).toBe(false);
  expect(isGatewayError(new Response("{}", { status: 500 }))).toBe(false);
});
