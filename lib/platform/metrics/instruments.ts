import "server-only";
import { collectDefaultMetrics, Counter, Histogram, Registry } from "prom-client";

/** Seconds; the shortest for the gate alone, the longest for a streamed answer. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/**
 * What this process counts, in Prometheus' units and names. Labels have few values each: operations, statuses, providers,
 * never models, keys or people.
 */
function createInstruments() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name: `signalbox_${name}`, help, labelNames, registers: [registry] });
  const histogram = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Histogram({ name: `signalbox_${name}`, help, labelNames, buckets: SECONDS, registers: [registry] });
  return {
    registry,
    requests: histogram("http_request_duration_seconds", "Time until an operation's answer begins", [
      "operation",
      "status",
    ]),
    generations: counter("generations_total", "Inference requests by how they ended", ["status", "provider"]),
    attempts: counter("upstream_attempts_total", "Upstreams asked, by the status they gave", ["provider", "status"]),
    tokens: counter("tokens_total", "Tokens of recorded answers", ["provider", "kind"]),
    cost: counter("cost_usd_total", "Cost of recorded answers, USD", ["provider"]),
    decisions: counter("policy_decisions_total", "What guardrails decided", ["scope", "field", "action"]),
    stages: histogram("inference_stage_duration_seconds", "Time that a stage of an inference request took", ["stage"]),
  };
}

type Instruments = ReturnType<typeof createInstruments>;

/** One registry a process, whichever bundle asks. */
const holder = globalThis as typeof globalThis & { __signalboxInstruments?: Instruments };

export const instruments = (): Instruments => (holder.__signalboxInstruments ??= createInstruments());
