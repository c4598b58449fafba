import { asObjects, asText, type JsonObject } from "../../../platform/json-values";
import { InputItem, isReasoningReference } from "../contracts/input-items-contract";
import type { OutputItem } from "../contracts/responses-result-contract";

/** An output item stored with its answer. */
export type StoredItem = JsonObject & { id: string };

/** Maximum length of an id and maximum number of items that are stored. */
const MAX_ID = 256;
const MOST_ITEMS = 1_000;
/** Types that aren't stored: reasoning isn't needed, and an image is larger than the rest of the record. */
const NOT_STORED: ReadonlySet<string> = new Set(["reasoning", "image_generation_call"]);

/** Returns the items of an answer that later requests can refer to, each once, without log probabilities. */
export function storedItems(output: readonly OutputItem[]): StoredItem[] {
  const items = new Map<string, StoredItem>();
  for (const item of output) {
    const id = asText(item["id"]);
    if (!id || id.length > MAX_ID || NOT_STORED.has(item.type) || items.size >= MOST_ITEMS) continue;
    const content = item["content"];
    items.set(id, { ...item, id, ...(Array.isArray(content) && { content: asObjects(content).map(withoutLogprobs) }) });
  }
  return [...items.values()];
}

const withoutLogprobs = ({ logprobs: _, ...part }: JsonObject): JsonObject => part;

/** A reference to an item of an earlier answer, and its place in the input. */
export interface Reference {
  index: number;
  id: string;
}

/** Returns the references of an input, without those to reasoning. */
export const referencesIn = (input: readonly InputItem[]): Reference[] =>
  input.flatMap((item, index) =>
    item.type === "item_reference" && !isReasoningReference(item) ? [{ index, id: String(item["id"]) }] : [],
  );

/** Types of items that upstreams accept without an id; they look up ids among their stored items. */
const WITHOUT_ID: ReadonlySet<string> = new Set(["message", "function_call", "custom_tool_call"]);

/** Returns a stored item as input; null if it isn't valid. */
export function sentItem({ id, ...item }: StoredItem): InputItem | null {
  const isNeeded = !WITHOUT_ID.has(String(item["type"]));
  return InputItem.safeParse(isNeeded ? { ...item, id } : item).data ?? null;
}
