import "server-only";
import { CIRCUIT_OPEN } from "../../engine/protocols/upstream-failure";
import type { UpstreamRequest } from "../../engine/protocols/upstream-request";
import type { Endpoint } from "../../engine/endpoint";
import { telemetry } from "../../platform/telemetry/telemetry";
import {
  traceHeaders,
  type SpanAttributes,
  type TracePosition,
  type TraceSpan,
} from "../../platform/telemetry/trace-context";
import { fromMicroUsd } from "../../engine/money";
import type { CalledCheck } from "../checks/check-service";
import type { Outcome } from "./outcome";
import { modelAttributes, type Site, operationOf, usageAttributes } from "./model-attributes";

/** Stages in the order in which `Server-Timing` names them. */
const STAGES = ["policy", "filters", "checks", "budget", "connect", "first_byte", "record"] as const;
type Stage = (typeof STAGES)[number];

/** One request to an endpoint. */
interface Call {
  endpoint: Endpoint;
  attributes: SpanAttributes;
  span: TraceSpan | null;
  start: number;
  sentAt: number | null;
  firstAt: number | null;
  endAt: number | null;
}

const NO_HEADERS = {};

/** Stages of a generation with their times, for `Server-Timing` and for exported spans and metrics. */
export class GenerationTrace {
  readonly #position: TracePosition;
  readonly #start: number;
  readonly #sums = new Map<Stage, number>();
  readonly #calls: Call[] = [];

  constructor(position: TracePosition, start: number) {
    this.#position = position;
    this.#start = start;
  }

  /** Adds a stage that has ended. */
  ran(stage: Stage, start: number, ms: number): void {
    this.#sums.set(stage, (this.#sums.get(stage) ?? 0) + ms);
    this.#position.span?.child(stage, start, "internal").end(start + ms);
  }

  /** Adds a call of a check or judge; together they are the stage `checks`. */
  checked({ field, name, direction, verdict }: CalledCheck, start: number, ms: number): void {
    const kind = field === "judges" ? "judge" : "check";
    const attributes = {
      "signalbox.check.name": name,
      "signalbox.check.direction": direction,
      "signalbox.check.verdict": verdict,
    };
    const error = verdict === "unavailable" ? verdict : null;
    this.#position.span?.child(`${kind} ${name}`, start, "internal", attributes).end(start + ms, error);
  }

  /** Starts a call to an endpoint; returns the headers that continue the trace upstream. */
  call(endpoint: Endpoint, path: UpstreamRequest["path"], site: Site): Readonly<Record<string, string>> {
    const start = performance.now();
    this.#endCall(start);
    const { span: request, caller } = this.#position;
    const attributes = telemetry() ? modelAttributes(endpoint, path, site) : {};
    const span = request?.child(`${operationOf(path)} ${endpoint.upstreamModel}`, start, "client", attributes) ?? null;
    this.#calls.push({ endpoint, attributes, span, start, sentAt: null, firstAt: null, endAt: null });
    return span?.headers ?? (caller ? traceHeaders(caller) : NO_HEADERS);
  }

  /** Marks the last call as connected. */
  sent(): void {
    const call = this.#calls.at(-1);
    if (call?.sentAt !== null) return;
    call.sentAt = performance.now();
    this.#add("connect", call.sentAt - call.start);
  }

  /** Marks the last call as responding. */
  answered(): void {
    const call = this.#calls.at(-1);
    if (call?.firstAt !== null) return;
    call.firstAt = performance.now();
    this.#add("first_byte", call.firstAt - (call.sentAt ?? call.start));
  }

  /** Exports the calls and the outcome of the request, before it is recorded. */
  ended(outcome: Pick<Outcome, Ended>): void {
    this.#endCall(performance.now());
    const active = telemetry();
    if (!active) return;
    const { attempts, accumulated, usageEstimated, status, streamed, costMicroUsd, isCostKnown } = outcome;
    const made = attempts.filter(({ error }) => error !== CIRCUIT_OPEN);
    for (const [index, call] of this.#calls.entries()) {
      const attempt = made[index];
      const isLast = index === this.#calls.length - 1;
      const error = attempt?.error ? errorOf(attempt.status) : isLast && status !== "succeeded" ? status : null;
      const usage = isLast && !usageEstimated ? accumulated.usage : null;
      const endAt = call.endAt ?? performance.now();
      const firstChunk = streamed && call.firstAt !== null ? (call.firstAt - call.start) / 1000 : undefined;
      call.span?.set({
        ...usageAttributes(usage),
        "http.response.status_code": attempt?.status ?? undefined,
        "gen_ai.response.time_to_first_chunk": firstChunk,
        ...(isLast && {
          "gen_ai.response.id": accumulated.upstreamId ?? undefined,
          "gen_ai.response.finish_reasons": accumulated.finishReason === null ? undefined : [accumulated.finishReason],
        }),
      });
      call.span?.end(endAt, error);
      active.measure({
        duration: (endAt - call.start) / 1000,
        firstChunk,
        inputTokens: usage?.prompt_tokens,
        outputTokens: usage?.completion_tokens,
        attributes: call.attributes,
        error,
      });
    }
    this.#position.span?.set({
      "signalbox.generation.id": outcome.id,
      "signalbox.generation.status": status,
      "signalbox.generation.cost_usd": isCostKnown ? fromMicroUsd(costMicroUsd) : undefined,
    });
  }

  /** Returns the value of `Server-Timing`: the total milliseconds of each stage so far. */
  serverTiming(): string {
    const parts = STAGES.filter((stage) => this.#sums.has(stage)).map(
      (stage) => `${stage};dur=${(this.#sums.get(stage) ?? 0).toFixed(1)}`,
    );
    return [...parts, `total;dur=${(performance.now() - this.#start).toFixed(1)}`].join(", ");
  }

  #add(stage: Stage, ms: number): void {
    this.#sums.set(stage, (this.#sums.get(stage) ?? 0) + ms);
  }

  #endCall(at: number): void {
    const call = this.#calls.at(-1);
    if (call?.endAt !== null) return;
    call.endAt = at;
    if (call.firstAt === null && call.sentAt !== null) this.#add("first_byte", at - call.sentAt);
  }
}

type Ended =
  | "id"
  | "attempts"
  | "accumulated"
  | "usageEstimated"
  | "status"
  | "streamed"
  | "costMicroUsd"
  | "isCostKnown";

/** Returns the error type of a failed attempt: the upstream's status, or `no_response`. */
const errorOf = (status: number | null): string => (status === null ? "no_response" : String(status));
