import "server-only";
import { BoundedLabels } from "./bounded-labels";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { SummedCounter } from "./summed-counter";
import { processWide } from "../process-wide";

/** Histogram buckets in seconds, from requests without inference to long streams. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/**
 * Creates the Prometheus metrics of this process. Labels have few values: operations, statuses, providers; models and keys only
 * through `BoundedLabels`; never people.
 */
function createInstruments() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new SummedCounter({ name: `signalbox_${name}`, help, labelNames, registers: [registry] });
  const histogram = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Histogram({ name: `signalbox_${name}`, help, labelNames, buckets: SECONDS, registers: [registry] });
  return {
    registry,
    requests: histogram("http_request_duration_seconds", "Time until an operation starts to respond", [
      "operation",
      "status",
    ]),
    generations: counter("generations_total", "Inference requests by status", ["status", "provider"]),
    attempts: counter("upstream_attempts_total", "Upstream attempts by HTTP status", ["provider", "status"]),
    tokens: counter("tokens_total", "Tokens of recorded generations", ["provider", "kind"]),
    cost: counter("cost_usd_total", "Cost of recorded generations in USD", ["provider"]),
    modelRequests: counter("model_requests_total", "Inference requests by model and status", ["model", "status"]),
    modelTokens: counter("model_tokens_total", "Tokens of recorded generations by model", ["model", "kind"]),
    modelCost: counter("model_cost_usd_total", "Cost of recorded generations in USD by model", ["model"]),
    models: new BoundedLabels(),
    keyRequests: counter("key_requests_total", "Inference requests by key and status", ["key", "status"]),
    keyTokens: counter("key_tokens_total", "Tokens of recorded generations by key", ["key", "kind"]),
    keyCost: counter("key_cost_usd_total", "Cost of recorded generations in USD by key", ["key"]),
    keys: new BoundedLabels(),
    replicaReads: counter("replica_reads_total", "Reads that may use the standby, by where they went", ["outcome"]),
    decisions: counter("policy_decisions_total", "Guardrail decisions", ["scope", "field", "action"]),
    embeddedLimits: new Gauge({
      name: "signalbox_embedded_limit_ratio",
      help: "Use of the embedded database as a share of its limits",
      labelNames: ["limit"],
      registers: [registry],
    }),
    contentUploads: counter("content_uploads_total", "Writes of contents to the object storage by result", ["result"]),
    stages: histogram("inference_stage_duration_seconds", "Duration of a stage of an inference request", ["stage"]),
  };
}

/** One registry per process. */
export const instruments = processWide("instruments", createInstruments);
