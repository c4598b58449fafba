/** A changed field with its path. Entries are listed only for lists of primitive values. */
export interface FieldChange {
  path: readonly string[];
  kind: "added" | "removed" | "changed";
  before: unknown;
  after: unknown;
  entries?: { added: unknown[]; removed: unknown[] };
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isNothing = (value: unknown) => value === undefined || value === null;
const same = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Fields that identify list entries, so that a moved entry isn't a change. */
const IDENTITIES = ["id", "slug", "label", "name", "key", "pattern"];

/** Converts a list of records to fields by name; null when the names aren't unique. */
function byIdentity(lists: readonly (readonly unknown[])[]): Fields[] | null {
  const records = lists.map((list) => list.filter(isFields));
  const isName = (name: string) =>
    records.every(
      (list, index) =>
        new Set(list.map((entry) => entry[name]).filter((value) => typeof value === "string")).size ===
        lists[index]?.length,
    );
  const identity = IDENTITIES.find(isName);
  return identity === undefined
    ? null
    : records.map((list) => Object.fromEntries(list.map((entry) => [String(entry[identity]), entry] as const)));
}

function without(list: readonly unknown[], other: readonly unknown[]): unknown[] {
  const known = new Set(other.map((entry) => JSON.stringify(entry)));
  return list.filter((entry) => !known.has(JSON.stringify(entry)));
}

/** Returns every changed field, in order of appearance. */
export function fieldChanges(before: unknown, after: unknown, path: readonly string[] = []): FieldChange[] {
  if (same(before, after)) return [];
  if (isFields(before) && isFields(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
      fieldChanges(before[name], after[name], [...path, name]),
    );
  }
  const kind = isNothing(before) ? "added" : isNothing(after) ? "removed" : "changed";
  if ((Array.isArray(before) || isNothing(before)) && (Array.isArray(after) || isNothing(after))) {
    const lists: readonly (readonly unknown[])[] = [before ?? [], after ?? []] as const;
    const named = lists.some((list) => list.some(isFields)) ? byIdentity(lists) : null;
    const nested = named ? fieldChanges(named[0], named[1], path) : [];
    // A different order of equal records is also a change.
    if (nested.length > 0) return nested;
    const [old = [], fresh = []] = lists;
    return [{ path, kind, before, after, entries: { added: without(fresh, old), removed: without(old, fresh) } }];
  }
  return [{ path, kind, before, after }];
}
