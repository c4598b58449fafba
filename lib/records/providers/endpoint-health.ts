import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  CountBreaker,
  handleWhen,
  type CircuitBreakerPolicy,
  type IHalfOpenAfterBackoffContext,
} from "cockatiel";
import { LRUCache } from "lru-cache";
import type { Endpoint, Speed } from "../../engine/endpoint";
import type { Signal } from "../../platform/signal";
import { RollingFigures } from "../../engine/routing/rolling-percentiles";
import { AttemptFailed, isEndpointFault, toFailure } from "../../engine/protocols/upstream-failure";

/** Maximum number of endpoints tracked; the least recently used is evicted. */
const MAX_ENDPOINTS = 5000;
/** Opens a circuit when at least half of the last ten attempts failed, given at least five attempts. */
const OPENS_AT = { size: 10, minimumNumberOfCalls: 5, threshold: 0.49 };
/** Time before an open circuit is probed; doubles after every failed probe. */
const FIRST_REST_MS = 5_000;
const LONGEST_REST_MS = 300_000;

interface Health {
  circuit: CircuitBreakerPolicy;
  /** Sequence number of the circuit's most recent opening. */
  opening: number;
  /** Seconds to first token of streamed responses. */
  latencies: RollingFigures;
  /** Tokens per second. */
  throughputs: RollingFigures;
}

/** Raised when the client disconnects before the endpoint's health is known. */
class Abandoned extends Error {
  constructor(readonly isProbe: boolean) {
    super("the client disconnected");
  }
}

/** Circuit breakers and measured speeds of one process, by endpoint id. */
export class EndpointHealth {
  readonly speeds = new Map<string, Speed>();
  #openings = 0;
  readonly #known = new LRUCache<string, Health>({
    max: MAX_ENDPOINTS,
    dispose: (_, id) => void this.speeds.delete(id),
  });

  /**
   * Calls an endpoint through its circuit breaker. Throws `BrokenCircuitError` while the circuit is open or another
   * request probes it. Only endpoint faults count, not client errors or disconnects; an abandoned probe leaves the
   * circuit open.
   */
  readonly attempt = async <T>(id: string, signal: Signal, call: () => Promise<T>): Promise<T> => {
    const { circuit } = this.#of(id);
    if (circuit.state === CircuitState.HalfOpen) throw new BrokenCircuitError();
    const isProbe = circuit.state === CircuitState.Open;
    return circuit.execute(() =>
      call().catch((error: unknown) => {
        throw signal.aborted ? new Abandoned(isProbe) : toFailure(error);
      }),
    );
  };

  /** Calls an endpoint regardless of its circuit; a success closes it. */
  readonly attemptAnyway = async <T>(id: string, _signal: Signal, call: () => Promise<T>): Promise<T> => {
    const answer = await call();
    this.#of(id).circuit = this.#newCircuit(id);
    return answer;
  };

  /** Counts a failure after the response began. */
  failed(id: string, failure: AttemptFailed): void {
    const { circuit } = this.#of(id);
    if (circuit.state === CircuitState.Closed) circuit.execute(() => Promise.reject(failure)).catch(() => undefined);
  }

  /** Returns every tracked endpoint's state: in use, or skipped after repeated failures. */
  states(): ReadonlyMap<string, "available" | "resting"> {
    return new Map(
      [...this.#known].map(([id, { circuit }]) => [
        id,
        circuit.state === CircuitState.Closed ? "available" : "resting",
      ]),
    );
  }

  /** Returns the endpoint whose circuit opened longest ago. */
  longestOpen(endpoints: readonly Endpoint[]): Endpoint | undefined {
    return endpoints.toSorted((a, b) => this.#of(a.id).opening - this.#of(b.id).opening)[0];
  }

  /** Records the time to first token of a streamed response, in seconds. */
  measureLatency(id: string, seconds: number): void {
    const health = this.#of(id);
    health.latencies.add(seconds);
    this.#publish(id, health);
  }

  /** Records the throughput of a complete response. */
  measureThroughput(id: string, tokensPerSecond: number): void {
    const health = this.#of(id);
    health.throughputs.add(tokensPerSecond);
    this.#publish(id, health);
  }

  /** Percentiles are calculated on read, because every response is measured, but few requests sort by speed. */
  #publish(id: string, health: Health): void {
    if (this.speeds.has(id)) return;
    this.speeds.set(id, {
      get latency() {
        return health.latencies.percentiles("lower");
      },
      get throughput() {
        return health.throughputs.percentiles("higher");
      },
    });
  }

  #of(id: string): Health {
    const known = this.#known.get(id);
    if (known) return known;
    const health: Health = {
      circuit: this.#newCircuit(id),
      opening: 0,
      latencies: new RollingFigures(),
      throughputs: new RollingFigures(),
    };
    this.#known.set(id, health);
    return health;
  }

  #newCircuit(id: string): CircuitBreakerPolicy {
    const counts = handleWhen((error) =>
      error instanceof Abandoned ? error.isProbe : error instanceof AttemptFailed && isEndpointFault(error),
    );
    const circuit = circuitBreaker(counts, { breaker: new CountBreaker(OPENS_AT), halfOpenAfter: { next: rest } });
    circuit.onBreak(() => void (this.#of(id).opening = this.#openings += 1));
    return circuit;
  }
}

/** Returns how long a circuit stays open after its n-th consecutive opening: at least the upstream's `Retry-After`. */
function rest({ attempt, result }: IHalfOpenAfterBackoffContext): { duration: number; next: typeof rest } {
  const reason = "error" in result ? result.error : null;
  const retryAfter = reason instanceof AttemptFailed ? (reason.retryAfterMs ?? 0) : 0;
  const doubled = reason instanceof Abandoned ? FIRST_REST_MS : FIRST_REST_MS * 2 ** (attempt - 1);
  return { duration: Math.min(LONGEST_REST_MS, Math.max(doubled, retryAfter)), next: rest };
}

/** The endpoint health tracker of this process. */
export const processHealth = new EndpointHealth();

/** Returns the speeds measured by this process, by endpoint id. */
export const speeds = (): ReadonlyMap<string, Speed> => processHealth.speeds;
