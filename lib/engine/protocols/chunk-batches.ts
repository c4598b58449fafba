import type { AnswerChunk } from "./answer-chunk";

/** Chunks of an answer, batched as they arrived; an array for an answer that isn't streamed. */
export type AnswerBatches = AsyncIterable<readonly AnswerChunk[]> | readonly (readonly AnswerChunk[])[];

/** True for the chunks of an answer that isn't streamed. */
export const isWhole = (batches: AnswerBatches): batches is Extract<AnswerBatches, readonly unknown[]> =>
  Array.isArray(batches);

/** Applies a filter of single chunks to batches. */
export async function* filteredBatches(
  batches: AnswerBatches,
  apply: (chunks: AsyncIterable<AnswerChunk>) => AsyncIterable<AnswerChunk>,
): AsyncGenerator<readonly AnswerChunk[], void> {
  for await (const chunk of apply(eachChunk(batches))) yield [chunk];
}

export async function* eachChunk(batches: AnswerBatches): AsyncGenerator<AnswerChunk, void> {
  for await (const chunks of batches) yield* chunks;
}
