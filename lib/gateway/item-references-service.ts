import "server-only";
import type { InputItem } from "../engine/protocols/contracts/input-items-contract";
import { referencesIn, sentItem } from "../engine/protocols/responses/stored-items";
import { invalid } from "../platform/api-error";
import type { Context } from "../platform/context";
import { loadItems } from "../records/contents/items-store";

const NOT_STORED =
  "can't be resolved: no stored answer of this API key has the item. Send items whole; in the AI SDK, set `providerOptions.openai.store` to false";

/**
 * Replaces references in an input with the items from stored responses of the same API key. References to reasoning
 * stay unchanged. Throws when an item isn't stored.
 */
export async function resolveReferences(context: Context, input: readonly InputItem[]): Promise<InputItem[]> {
  const { caller, settings } = context;
  const resolved = [...input];
  const references = referencesIn(input);
  if (references.length === 0 || caller.kind !== "key") return resolved;
  const ids = new Set(references.map(({ id }) => id));
  const repeated = references.filter(({ id }) => !ids.delete(id));
  if (repeated.length > 0) throw invalid(repeated.map(({ index }) => issueAt(index, "repeats a reference")));
  const stored = await loadItems(
    context,
    caller,
    references.map(({ id }) => id),
    settings.maxBodyBytes,
  );
  if (!stored)
    throw invalid([
      { path: ["input"], message: `refers to items of more than ${settings.maxBodyBytes} bytes`, code: "too_big" },
    ]);
  const missing = references.filter(({ index, id }) => {
    const item = stored.get(id);
    const sent = item && sentItem(item);
    if (sent) resolved[index] = sent;
    return !sent;
  });
  if (missing.length > 0) throw invalid(missing.map(({ index }) => issueAt(index, NOT_STORED, "not_stored")));
  return resolved;
}

const issueAt = (index: number, message: string, code = "custom") => ({ path: ["input", index], message, code });
