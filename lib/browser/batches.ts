/** Most entries of one request of the API's bulk operations. */
const MOST_AT_ONCE = 1000;

export const batchesOf = <Entry>(entries: readonly Entry[], size = MOST_AT_ONCE): Entry[][] =>
  Array.from({ length: Math.ceil(entries.length / size) }, (_, index) =>
    entries.slice(index * size, (index + 1) * size),
  );

/** Called with the number of entries that are done. */
export type OnProgress = (done: number) => void;

/**
 * Sends entries in as many requests as their number takes, one after the other. If one fails, `undo` takes back the
 * earlier ones.
 */
export async function inBatches<Entry, Result>(
  entries: readonly Entry[],
  send: (batch: Entry[]) => Promise<Result>,
  {
    undo,
    onProgress,
  }: { undo?: (results: readonly Result[]) => Promise<unknown>; onProgress?: OnProgress | undefined } = {},
): Promise<Result[]> {
  const results: Result[] = [];
  let done = 0;
  try {
    for (const batch of batchesOf(entries)) {
      onProgress?.(done);
      results.push(await send(batch));
      done += batch.length;
    }
  } catch (error) {
    if (results.length > 0) await undo?.(results);
    throw error;
  }
  return results;
}
