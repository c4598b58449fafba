import { queryOptions } from "@tanstack/react-query";
import { call } from "@/lib/browser/api-client";
import { listGenerationPreviews } from "@/lib/browser/operations/content-access";
import type { GenerationPreview } from "@/lib/features/content-access/contract";

/** Time to collect the rows of one request. */
const COLLECT_MS = 15;
const MOST_AT_ONCE = 50;

interface Wanted {
  id: string;
  resolve: (preview: GenerationPreview) => void;
  reject: (error: unknown) => void;
}

const waiting = new Map<string, Wanted[]>();

async function loadPart(part: readonly Wanted[], q: string): Promise<void> {
  try {
    const query = { id: part.map(({ id }) => id), ...(q !== "" && { q }) };
    const { data } = await call(listGenerationPreviews, { query });
    const found = new Map(data.map((preview) => [preview.id, preview]));
    for (const { id, resolve } of part) resolve(found.get(id) ?? { id, prompt: null, completion: null });
  } catch (error) {
    for (const { reject } of part) reject(error);
  }
}

function flush(q: string): void {
  const all = waiting.get(q) ?? [];
  waiting.delete(q);
  for (let start = 0; start < all.length; start += MOST_AT_ONCE)
    void loadPart(all.slice(start, start + MOST_AT_ONCE), q);
}

/** Rows that load previews at the same time share a request. */
const load = (id: string, q: string): Promise<GenerationPreview> =>
  new Promise((resolve, reject) => {
    const wanted = waiting.get(q);
    if (wanted) wanted.push({ id, resolve, reject });
    else {
      waiting.set(q, [{ id, resolve, reject }]);
      setTimeout(() => flush(q), COLLECT_MS);
    }
  });

export const previewQuery = (id: string, q: string) =>
  queryOptions({
    queryKey: [listGenerationPreviews.id, id, q],
    queryFn: () => load(id, q),
    staleTime: Infinity,
  });
