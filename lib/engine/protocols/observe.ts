import type { ApiError } from "../../platform/api-error";
import { AnswerBlocked } from "../filters/answer-blocked";
import type { AnswerChunk } from "./answer-chunk";
import { BrokenAnswer } from "./broken-answer";
import { accumulate, MAX_ANSWER_CHARACTERS, emptyAnswer, type AccumulatedAnswer } from "./accumulate";
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
 * Details returned when the end of an answer is recorded: cost in USD with its parts, time in Unix seconds, and service
 * metadata if requested.
 */
export interface Receipt {
  costUsd: number;
  costDetails?: { prompt: number; completion: number; parts: Record<string, number> };
  completedAt: number;
  serviceMetadata?: object | null;
}

/** Records the end of an answer. */
export type Report = (end: End, accumulated: AccumulatedAnswer) => Promise<Receipt>;

/** A protocol's encoding of a streamed answer; each method returns an encoded event. */
export interface StreamEncoder {
  start: () => string[];
  chunk: (chunk: AnswerChunk) => string[];
  end: (accumulated: AccumulatedAnswer, receipt: Receipt) => string[];
  fail: (failure: AttemptFailed, accumulated: AccumulatedAnswer, receipt: Receipt) => string[];
  /** Ends an answer that content filters or checks withhold from here on. */
  block: (error: ApiError, accumulated: AccumulatedAnswer, receipt: Receipt) => string[];
}

/** Returns the end that an error means; `signal` is aborted when the client disconnected. */
function endOf(error: unknown, signal: AbortSignal): Exclude<End, { status: "succeeded" }> {
  if (signal.aborted) return { status: "cancelled" };
  return error instanceof AnswerBlocked
    ? { status: "blocked", recorded: error.status, error: error.error }
    : { status: "failed", failure: toFailure(error) };
}

/**
 * Relays an answer as events of a protocol. The report is made exactly once, whether the answer completes, fails, is
 * blocked or abandoned, and finishes before the last event is sent. With `holdsStart` nothing is sent before the first
 * text; an answer that is blocked before it throws.
 */
export async function* relay(
  chunks: AsyncIterable<AnswerChunk>,
  dialect: StreamEncoder,
  signal: AbortSignal,
  report: Report,
  holdsStart = false,
): AsyncGenerator<string, void> {
  const accumulated = emptyAnswer();
  let start: AnswerChunk[] | null = holdsStart ? [] : null;
  let end: Exclude<End, { status: "cancelled" }> | undefined;
  try {
    if (!start) yield* dialect.start();
    try {
      for await (const chunk of chunks) {
        accumulate(accumulated, chunk);
        start?.push(chunk);
        if (start && accumulated.size === 0) continue;
        if (start) yield* dialect.start();
        yield* (start ?? [chunk]).flatMap((one) => dialect.chunk(one));
        start = null;
      }
      end = { status: "succeeded" };
    } catch (error) {
      const reason = endOf(error, signal);
      if (reason.status === "cancelled") return;
      end = reason;
    }
    const receipt = await report(end, accumulated);
    if (start && end.status === "blocked") throw end.error.with({ service_metadata: receipt.serviceMetadata });
    if (start) yield* [...dialect.start(), ...start.flatMap((one) => dialect.chunk(one))];
    if (end.status === "failed") yield* dialect.fail(end.failure, accumulated, receipt);
    else if (end.status === "blocked") yield* dialect.block(end.error, accumulated, receipt);
    else yield* dialect.end(accumulated, receipt);
  } finally {
    if (!end) await report({ status: "cancelled" }, accumulated);
  }
}

/** Collects a complete answer, or its beginning when it fails or exceeds the size limit, and reports its end. */
export async function collect(
  chunks: AsyncIterable<AnswerChunk>,
  signal: AbortSignal,
  report: Report,
): Promise<{ end: End; accumulated: AccumulatedAnswer; receipt: Receipt }> {
  const accumulated = emptyAnswer();
  let end: End = { status: "succeeded" };
  try {
    for await (const chunk of chunks) {
      accumulate(accumulated, chunk);
      if (accumulated.isCut)
        throw new BrokenAnswer(`The answer is longer than ${MAX_ANSWER_CHARACTERS} characters`, "");
    }
  } catch (error) {
    end = endOf(error, signal);
  }
  return { end, accumulated, receipt: await report(end, accumulated) };
}
