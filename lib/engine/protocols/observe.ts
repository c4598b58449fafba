import type { ApiError } from "../../platform/api-error";
import type { Signal } from "../../platform/signal";
import { ResponseBlocked } from "../filters/response-blocked";
import type { ResponseChunk } from "./response-chunk";
import { BrokenResponse } from "./broken-response";
import { isWhole, type ResponseBatches } from "./chunk-batches";
import {
  accumulate,
  accumulateEnvelope,
  MAX_ANSWER_CHARACTERS,
  newAccumulated,
  type AccumulatedResponse,
} from "./accumulate";
import type { OutputItem } from "./contracts/responses-result-contract";
import { toFailure, type AttemptFailed } from "./upstream-failure";

/** The end of an answer. */
export type End = { status: "succeeded" } | Failed | Blocked | { status: "cancelled" };
interface Blocked {
  status: "blocked";
  /** The status to record: `failed` when a check gave no verdict. */
  recorded: "blocked" | "failed";
  error: ApiError;
}
interface Failed {
  status: "failed";
  failure: AttemptFailed;
}

/**
 * Details returned while the end of an answer is recorded: cost in USD with its parts, time in Unix seconds, and service
 * metadata if requested.
 */
export interface Receipt {
  /** Null when a price is unknown. */
  costUsd: number | null;
  costDetails?: { prompt: number; completion: number; parts: Record<string, number> };
  completedAt: number;
  serviceMetadata?: object | null;
  /** Resolves when the record is durable. Await it before the answer ends; encode the answer meanwhile. */
  recorded?: Promise<void>;
  /** The failure of the answer as the caller sees it. */
  failure?: ApiError;
  /** Set when a stream's end couldn't be recorded; the client must not treat it as a success. */
  unrecorded?: AttemptFailed;
}

/** Records the end of an answer, with the output items of a Responses answer. */
export type Report = (end: End, accumulated: AccumulatedResponse, items?: readonly OutputItem[]) => Promise<Receipt>;

/** A protocol's encoding of a streamed answer; each method returns an encoded event. */
export interface StreamEncoder {
  start: () => string[];
  chunk: (chunk: ResponseChunk) => string[];
  /** Called at the end of a Responses answer, before it is encoded. Returns its output items, the last ones incomplete unless it succeeded. */
  items?: (end: End, accumulated: AccumulatedResponse) => readonly OutputItem[];
  end: (accumulated: AccumulatedResponse, receipt: Receipt) => string[];
  /** Ends an answer that failed, or a stream that was opened before its request was refused. */
  fail: (failure: AttemptFailed | ApiError, accumulated: AccumulatedResponse, receipt: Receipt) => string[];
  /** Ends an answer whose rest content filters or checks block. */
  block: (error: ApiError, accumulated: AccumulatedResponse, receipt: Receipt) => string[];
}

/** Returns the end for an error; `signal` is aborted when the client disconnected. */
function endOf(error: unknown, signal: Signal): Exclude<End, { status: "succeeded" }> {
  if (signal.aborted) return { status: "cancelled" };
  return error instanceof ResponseBlocked
    ? { status: "blocked", recorded: error.status, error: error.error }
    : { status: "failed", failure: toFailure(error) };
}

/**
 * Relays an answer as events of a protocol, those together whose chunks arrived together. The report is made exactly once, whether the answer completes, fails, is
 * blocked or abandoned, and finishes before the last event is sent. With `holdsStart` nothing is sent before the first
 * text; an answer that is blocked before it throws.
 */
export async function* relay(
  batches: ResponseBatches,
  encoder: StreamEncoder,
  signal: Signal,
  report: Report,
  holdsStart = false,
): AsyncGenerator<string, void> {
  const accumulated = newAccumulated();
  const encoded = (chunks: readonly ResponseChunk[]) => chunks.flatMap((chunk) => encoder.chunk(chunk));
  let start: ResponseChunk[] | null = holdsStart ? [] : null;
  let end: Exclude<End, { status: "cancelled" }> | undefined;
  try {
    if (!start) yield* together(encoder.start());
    try {
      for await (const chunks of batches) {
        for (const chunk of chunks) accumulate(accumulated, chunk);
        start?.push(...chunks);
        if (start && accumulated.size === 0) continue;
        yield* together([...(start ? encoder.start() : []), ...encoded(start ?? chunks)]);
        start = null;
      }
      end = { status: "succeeded" };
    } catch (error) {
      const reason = endOf(error, signal);
      if (reason.status === "cancelled") return;
      end = reason;
    }
    const receipt = await report(end, accumulated, encoder.items?.(end, accumulated));
    if (start && end.status === "blocked") throw end.error.with({ service_metadata: receipt.serviceMetadata });
    const rest = start ? [...encoder.start(), ...encoded(start)] : [];
    const failure = receipt.unrecorded ?? (end.status === "failed" ? (receipt.failure ?? end.failure) : null);
    if (failure) rest.push(...encoder.fail(failure, accumulated, receipt));
    else if (end.status === "blocked") rest.push(...encoder.block(end.error, accumulated, receipt));
    else rest.push(...encoder.end(accumulated, receipt));
    yield* together(rest);
  } finally {
    const cancelled = { status: "cancelled" } as const;
    if (!end) await report(cancelled, accumulated, encoder.items?.(cancelled, accumulated));
  }
}

const together = (events: readonly string[]): string[] => (events.length > 0 ? [events.join("")] : []);

/** Collects a complete answer, or its beginning when it fails or exceeds the size limit, and reports its end. */
export async function collect(
  batches: ResponseBatches,
  signal: Signal,
  report: Report,
  items?: (accumulated: AccumulatedResponse) => readonly OutputItem[],
): Promise<{ end: End; accumulated: AccumulatedResponse; receipt: Receipt }> {
  const accumulated = newAccumulated();
  const add = (chunks: readonly ResponseChunk[]) => {
    for (const chunk of chunks) {
      accumulate(accumulated, chunk);
      accumulateEnvelope(accumulated, chunk);
    }
    if (accumulated.isCut)
      throw new BrokenResponse(`The upstream's response is longer than ${MAX_ANSWER_CHARACTERS} characters`, "");
  };
  let end: End = { status: "succeeded" };
  try {
    if (isWhole(batches)) for (const chunks of batches) add(chunks);
    else for await (const chunks of batches) add(chunks);
  } catch (error) {
    end = endOf(error, signal);
  }
  const output = end.status === "succeeded" ? items?.(accumulated) : undefined;
  return { end, accumulated, receipt: await report(end, accumulated, output) };
}
