import type { AnswerChunk } from "./answer-chunk";

/** Applies a filter, which judges single chunks, to chunks that arrive together. */
export async function* filteredBatches(
  batches: AsyncIterable<readonly AnswerChunk[]>,
  apply: (chunks: AsyncIterable<AnswerChunk>) => AsyncIterable<AnswerChunk>,
): AsyncGenerator<readonly AnswerChunk[], void> {
  for await (const chunk of apply(eachChunk(batches))) yield [chunk];
}

export async function* eachChunk(batches: AsyncIterable<readonly AnswerChunk[]>): AsyncGenerator<AnswerChunk, void> {
  for await (const chunks of batches) yield* chunks;
}
