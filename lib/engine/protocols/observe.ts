import type { AnswerChunk } from "./answer-chunk";
import { BrokenAnswer } from "./broken-answer";
import { accumulate, MAX_ANSWER_CHARACTERS, emptyAnswer, type AccumulatedAnswer } from "./accumulate";
import { toFailure, type AttemptFailed } from "./upstream-failure";

/** The end of an answer. */
export type End = { status: "succeeded" } | Failed | { status: "cancelled" };
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
  costDetails?: Record<string, number>;
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
}

/**
 * Relays an answer as events of a protocol. The report is made exactly once, whether the answer completes, fails or is
 * abandoned, and finishes before the last event is sent.
 */
export async function* relay(
  chunks: AsyncIterable<AnswerChunk>,
  dialect: StreamEncoder,
  signal: AbortSignal,
  report: Report,
): AsyncGenerator<string, void> {
  const accumulated = emptyAnswer();
  let end: { status: "succeeded" } | Failed | undefined;
  try {
    yield* dialect.start();
    try {
      for await (const chunk of chunks) {
        accumulate(accumulated, chunk);
        yield* dialect.chunk(chunk);
      }
      end = { status: "succeeded" };
    } catch (error) {
      if (signal.aborted) return;
      end = { status: "failed", failure: toFailure(error) };
    }
    const receipt = await report(end, accumulated);
    yield* end.status === "failed"
      ? dialect.fail(end.failure, accumulated, receipt)
      : dialect.end(accumulated, receipt);
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
    end = signal.aborted ? { status: "cancelled" } : { status: "failed", failure: toFailure(error) };
  }
  return { end, accumulated, receipt: await report(end, accumulated) };
}
