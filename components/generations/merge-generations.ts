import type { Generation } from "@/lib/records/generations/contract";

type Place = Pick<Generation, "id" | "created_at">;

const newestFirst = (one: Place, other: Place) =>
  one.created_at === other.created_at ? (one.id < other.id ? 1 : -1) : one.created_at < other.created_at ? 1 : -1;

/** Merges loaded and newly arrived rows without duplicates. Rows older than the loaded ones come with later pages. */
export function mergeNewestFirst<Row extends Place>(
  loaded: readonly Row[],
  arrived: readonly Row[],
  isComplete: boolean,
): Row[] {
  if (arrived.length === 0) return [...loaded];
  const known = new Set(loaded.map(({ id }) => id));
  const last = loaded.at(-1);
  const fresh = arrived.filter(
    (row) => !known.has(row.id) && (isComplete || last === undefined || newestFirst(row, last) < 0),
  );
  return [...loaded, ...fresh].toSorted(newestFirst);
}
