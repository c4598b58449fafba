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
import type { Endpoint, Speed } from "./endpoint";
import { percentilesOf, withFigure } from "./rolling-percentiles";
import { AttemptFailed, isEndpointFault, toFailure } from "./upstream-failure";

/** Endpoints that are remembered; beyond them the one that was asked longest ago is forgotten. */
const MAX_ENDPOINTS = 5000;
/** A circuit opens when at least half of the last ten attempts failed, of five or more. */
const OPENS_AT = { size: 10, minimumNumberOfCalls: 5, threshold: 0.49 };
/** How long a circuit stays open before it is probed: doubled with every failed probe. */
const FIRST_REST_MS = 5_000;
const LONGEST_REST_MS = 300_000;

interface Health {
  circuit: CircuitBreakerPolicy;
  /** Which opening of a circuit was this one's last: they are numbered. */
  opening: number;
  /** Seconds to the first part of a streamed answer. */
  latencies: number[];
  /** Tokens per second. */
  throughputs: number[];
}

/** The client left before the endpoint showed what it is worth. */
class Abandoned extends Error {
  constructor(readonly isProbe: boolean) {
    super("the client left");
  }
}

/** What a process knows of its endpoints: which are worth asking, and how fast they are. Keys are endpoint ids. */
export class EndpointHealth {
  readonly speeds = new Map<string, Speed>();
  #openings = 0;
  readonly #known = new LRUCache<string, Health>({
    max: MAX_ENDPOINTS,
    dispose: (_, id) => void this.speeds.delete(id),
  });

  /**
   * Asks an endpoint through its circuit; throws `BrokenCircuitError` while that is open or another request probes it.
   * Counted are the endpoint's own faults, never the request's nor a client that left: a probe that nobody waits for any
   * more leaves the circuit open.
   */
  readonly attempt = async <T>(id: string, signal: AbortSignal, ask: () => Promise<T>): Promise<T> => {
    const { circuit } = this.#of(id);
    if (circuit.state === CircuitState.HalfOpen) throw new BrokenCircuitError();
    const isProbe = circuit.state === CircuitState.Open;
    return circuit.execute(() =>
      ask().catch((error: unknown) => {
        throw signal.aborted ? new Abandoned(isProbe) : toFailure(error);
      }),
    );
  };

  /** Asks an endpoint whatever its circuit says; an answer closes it. */
  readonly insist = async <T>(id: string, _signal: AbortSignal, ask: () => Promise<T>): Promise<T> => {
    const answer = await ask();
    this.#of(id).circuit = this.#newCircuit(id);
    return answer;
  };

  /** Counts a failure in the middle of an answer. */
  failed(id: string, failure: AttemptFailed): void {
    const { circuit } = this.#of(id);
    if (circuit.state === CircuitState.Closed) circuit.execute(() => Promise.reject(failure)).catch(() => undefined);
  }

  /** Every endpoint that is remembered: asked as usual, or left alone because it failed too often. */
  states(): ReadonlyMap<string, "asked" | "resting"> {
    return new Map(
      [...this.#known].map(([id, { circuit }]) => [id, circuit.state === CircuitState.Closed ? "asked" : "resting"]),
    );
  }

  /** The endpoint whose circuit opened longest ago. */
  longestRested(endpoints: readonly Endpoint[]): Endpoint | undefined {
    return endpoints.toSorted((a, b) => this.#of(a.id).opening - this.#of(b.id).opening)[0];
  }

  /** Counts the seconds to the first part of a streamed answer. */
  measureLatency(id: string, seconds: number): void {
    const health = this.#of(id);
    health.latencies = withFigure(health.latencies, seconds);
    this.#summarize(id, health);
  }

  /** Counts the speed of a whole answer. */
  measureThroughput(id: string, tokensPerSecond: number): void {
    const health = this.#of(id);
    health.throughputs = withFigure(health.throughputs, tokensPerSecond);
    this.#summarize(id, health);
  }

  #summarize(id: string, { latencies, throughputs }: Health): void {
    this.speeds.set(id, {
      latency: percentilesOf(latencies, "lower"),
      throughput: percentilesOf(throughputs, "higher"),
    });
  }

  #of(id: string): Health {
    const known = this.#known.get(id);
    if (known) return known;
    const health: Health = { circuit: this.#newCircuit(id), opening: 0, latencies: [], throughputs: [] };
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

/** How long a circuit rests that opened for the n-th time in a row: at least as long as the upstream asked for. */
function rest({ attempt, result }: IHalfOpenAfterBackoffContext): { duration: number; next: typeof rest } {
  const reason = "error" in result ? result.error : null;
  const asked = reason instanceof AttemptFailed ? (reason.retryAfterMs ?? 0) : 0;
  const doubled = reason instanceof Abandoned ? FIRST_REST_MS : FIRST_REST_MS * 2 ** (attempt - 1);
  return { duration: Math.min(LONGEST_REST_MS, Math.max(doubled, asked)), next: rest };
}

/** What this process knows. */
export const processHealth = new EndpointHealth();

/** How fast this process found its endpoints, by endpoint id. */
export const speeds = (): ReadonlyMap<string, Speed> => processHealth.speeds;
