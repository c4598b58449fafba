import type { ResponseChunk } from "./response-chunk";

/** Chunks of an answer, batched as they arrived; an array for an answer that isn't streamed. */
export type ResponseBatches = AsyncIterable<readonly ResponseChunk[]> | readonly (readonly ResponseChunk[])[];

/** True for the chunks of an answer that isn't streamed. */
export const isWhole = (batches: ResponseBatches): batches is Extract<ResponseBatches, readonly unknown[]> =>
  Array.isArray(batches);

/** Applies a filter of single chunks to batches. */
export async function* filteredBatches(
  batches: ResponseBatches,
  apply: (chunks: AsyncIterable<ResponseChunk>) => AsyncIterable<ResponseChunk>,
): AsyncGenerator<readonly ResponseChunk[], void> {
  for await (const chunk of apply(eachChunk(batches))) yield [chunk];
}

export async function* eachChunk(batches: ResponseBatches): AsyncGenerator<ResponseChunk, void> {
  for await (const chunks of batches) yield* chunks;
}
