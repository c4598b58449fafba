import { BrokenCircuitError } from "cockatiel";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { endpointOf } from "../../testing/endpoints";
import { EndpointHealth } from "./endpoint-health";
import { AttemptFailed } from "../../engine/protocols/upstream-failure";

const START = Date.parse("2026-11-20T10:00:00Z");
const patient = new AbortController().signal;

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: START }));
afterEach(() => void vi.useRealTimers());
const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

type Outcome = "answered" | "failed" | "skipped";

/** Simulates one attempt on endpoint a with the given result. */
async function attempt(health: EndpointHealth, ask: () => Promise<unknown>, signal = patient): Promise<Outcome> {
  return health.attempt("a", signal, ask).then(
    () => "answered",
    (error: unknown) => (error instanceof BrokenCircuitError ? "skipped" : "failed"),
  );
}
const answer = () => Promise.resolve("fine");
const fail =
  (status: number | null = 503, retryAfterMs: number | null = null) =>
  () =>
    Promise.reject(new AttemptFailed(status, "no", { retryAfterMs }));

async function attempts(health: EndpointHealth, asks: (() => Promise<unknown>)[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const ask of asks) outcomes.push(await attempt(health, ask));
  return outcomes;
}
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

/** Returns an endpoint health tracker in which the circuit of endpoint a has just opened. */
async function broken(reason = fail()): Promise<EndpointHealth> {
  const health = new EndpointHealth();
  await attempts(health, times(5, reason));
  return health;
}

describe("circuit breaker", () => {
  it.each<[string, (() => Promise<unknown>)[], Outcome]>([
    ["four failures: below the minimum number of calls", times(4, fail()), "answered"],
    ["five failures", times(5, fail()), "skipped"],
    ["failures without an HTTP status", times(5, fail(null)), "skipped"],
    ["429 responses", times(5, fail(429)), "skipped"],
    ["upstream timeouts", times(5, fail(408)), "skipped"],
    ["client errors", times(50, fail(400)), "answered"],
    ["authentication errors", times(50, fail(401)), "answered"],
    ["one failure in three", times(20, [answer, answer, fail()]).flat(), "answered"],
    ["one failure in two", times(5, [answer, fail()]).flat(), "skipped"],
    ["successes outside the window", [...times(100, answer), ...times(5, fail())], "skipped"],
    ["five failures among ten, then recovery", [...times(4, fail()), ...times(20, answer)], "answered"],
  ])("after %s", async (_name, history, expected) => {
    const health = new EndpointHealth();
    await attempts(health, history);
    expect(await attempt(health, answer)).toBe(expected);
  });

  it("lets a single request probe it, and closes when the probe succeeds", async () => {
    const health = await broken();
    expect(await attempt(health, answer)).toBe("skipped");
    pass(5);
    let finish = (): void => undefined;
    const probe = attempt(health, () => new Promise<void>((resolve) => (finish = resolve)));
    expect(await attempts(health, [answer, answer])).toEqual(["skipped", "skipped"]);
    finish();
    expect([await probe, await attempt(health, answer)]).toEqual(["answered", "answered"]);
  });

  it("doubles the open period after each failed probe, up to five minutes", async () => {
    const health = await broken();
    for (const seconds of [5, 10, 20, 40, 80, 160, 300, 300]) {
      pass(seconds - 0.001);
      expect(await attempt(health, answer)).toBe("skipped");
      pass(0.001);
      expect(await attempt(health, fail())).toBe("failed");
    }
  });

  it.each([
    [60_000, 60],
    [1_000, 5],
    [86_400_000, 300],
  ])("honors Retry-After: %i ms keeps it open for %i s", async (retryAfter, seconds) => {
    const health = await broken(fail(429, retryAfter));
    pass(seconds - 0.001);
    expect(await attempt(health, answer)).toBe("skipped");
    pass(0.001);
    expect(await attempt(health, answer)).toBe("answered");
  });

  it("stays open when the probing client disconnects", async () => {
    const health = await broken();
    pass(5);
    const client = new AbortController();
    const probe = attempt(
      health,
      () => new Promise((_, reject) => client.signal.addEventListener("abort", () => reject(new Error("left")))),
      client.signal,
    );
    client.abort();
    expect([await probe, await attempt(health, answer)]).toEqual(["failed", "skipped"]);
    pass(5);
    expect(await attempt(health, answer)).toBe("answered");
  });

  it("closes when a bypassing request succeeds", async () => {
    const health = await broken();
    await expect(health.attemptAnyway("a", patient, fail())).rejects.toThrow("no");
    expect(await attempt(health, answer)).toBe("skipped");
    await health.attemptAnyway("a", patient, answer);
    expect(await attempt(health, answer)).toBe("answered");
  });

  it("never changes a result, and never skips an endpoint without failures", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ fails: fc.boolean(), seconds: fc.nat(20) }), { maxLength: 60 }),
        async (steps) => {
          const health = new EndpointHealth();
          let failures = 0;
          for (const { fails, seconds } of steps) {
            pass(seconds);
            const outcome = await attempt(health, fails ? fail() : answer);
            if (outcome === "skipped") expect(failures).toBeGreaterThan(0);
            else expect(outcome).toBe(fails ? "failed" : "answered");
            if (outcome === "failed") failures += 1;
          }
          pass(300);
          expect(await attempt(health, answer)).toBe("answered");
        },
      ),
    );
  });
});

it("longestOpen returns the endpoint whose circuit opened first", async () => {
  const health = new EndpointHealth();
  for (const id of ["b", "a", "c"]) {
    await Promise.allSettled(times(5, 0).map(() => health.attempt(id, patient, fail())));
    pass(1);
  }
  expect(health.longestOpen(["a", "b", "c"].map((id) => endpointOf({ id })))?.id).toBe("b");
  expect(health.longestOpen([])).toBeUndefined();
});

describe("measured speeds", () => {
  it("are percentiles of the measurements", () => {
    const health = new EndpointHealth();
    for (const seconds of [4, 1, 3, 2]) health.measureLatency("a", seconds);
    health.measureThroughput("b", 50);
    expect(Object.fromEntries(health.speeds)).toEqual({
      a: { latency: { p50: 2, p75: 3, p90: 4, p99: 4 }, throughput: null },
      b: { latency: null, throughput: { p50: 50, p75: 50, p90: 50, p99: 50 } },
    });
  });

  it("drop the least recently used endpoints", () => {
    const health = new EndpointHealth();
    for (let id = 0; id < 6000; id++) health.measureLatency(String(id), 1);
    expect([health.speeds.size, health.speeds.has("0"), health.speeds.has("5999")]).toEqual([5000, false, true]);
  });
});
