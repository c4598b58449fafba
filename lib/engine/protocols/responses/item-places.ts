import { asText, type JsonObject } from "../../../platform/json-values";

/** An output item of a stream. */
interface Item {
  /** Its unique place in the answer. */
  place: number;
  /** The type; null while only pieces without a type have arrived. */
  type: string | null;
  id: string | null;
  callId: string | null;
  isDone: boolean;
}

/** Types of items by the events of their pieces. */
const TYPES: readonly (readonly [prefix: string, type: string])[] = [
  ["response.output_text.", "message"],
  ["response.refusal.", "message"],
  ["response.reasoning_", "reasoning"],
  ["response.function_call_arguments.", "function_call"],
  ["response.custom_tool_call_input.", "custom_tool_call"],
];

/** Returns the type of item whose piece an event carries; null if the event doesn't tell. */
export const typeOfPiece = (eventType: string): string | null =>
  TYPES.find(([prefix]) => eventType.startsWith(prefix))?.[1] ?? null;

/**
 * Identifies the item of an event by its id, then the id of its call, then its index. Indexes alone aren't reliable:
 * upstreams repeat them, restart them with each phase of an answer, or omit items from the final output.
 */
export class ItemPlaces {
  #items: Item[] = [];
  #places = new Set<number>();
  #next = 0;
  /** The latest item by its id, the id of its call, and its index in the current phase. */
  #byId = new Map<string, Item>();
  #byCall = new Map<string, Item>();
  #byIndex = new Map<unknown, Item>();
  #phaseStart = 0;

  /** Begins a phase of the answer, whose indexes may start from 0 again. */
  startPhase(): void {
    this.#byIndex.clear();
    this.#phaseStart = this.#items.length;
  }

  /** Returns the place of an announced item. An id that is announced again after its end belongs to another item, except for calls. */
  added(index: unknown, given: JsonObject): number {
    const named = this.#named(given);
    if (named && (named.callId !== null || !named.isDone)) return this.#note(index, named, given);
    const found = this.#byIndex.get(index);
    const isSame = found && !found.isDone && !differs(found.id, asText(given["id"])) && mayBe(found, given);
    return this.#note(index, isSame ? found : null, given);
  }

  /** Returns the place of a complete item. */
  done(index: unknown, given: JsonObject): number {
    const atIndex = this.#byIndex.get(index);
    const isSame = atIndex && mayBe(atIndex, given) && !(atIndex.isDone && differs(atIndex.id, asText(given["id"])));
    const place = this.#note(index, this.#named(given) ?? (isSame ? atIndex : null), given);
    const item = this.#byIndex.get(index);
    if (item) item.isDone = true;
    return place;
  }

  /** Returns the place of the item that a piece belongs to. */
  piece(index: unknown, itemId: unknown, eventType: string): number {
    const type = typeOfPiece(eventType);
    const known = typeof itemId === "string" ? this.#byId.get(itemId) : undefined;
    const found = known ?? this.#byIndex.get(index);
    if (found && (known || type === null || found.type === null || found.type === type)) {
      found.type ??= type;
      return found.place;
    }
    return this.#note(index, null, { type, id: itemId });
  }

  /** Returns the places of the items of the final output, which may lack some items. */
  final(output: readonly JsonObject[]): number[] {
    const claimed = new Set<Item>();
    const named = output.map((given) => {
      const item = this.#named(given);
      if (item === null || claimed.has(item)) return null;
      claimed.add(item);
      return item;
    });
    // Items without a known id follow each other as they did in the stream.
    const waiting = new Map<unknown, Item[]>();
    for (const item of this.#items.slice(this.#phaseStart))
      if (!claimed.has(item)) {
        const queue = waiting.get(item.type);
        if (queue) queue.push(item);
        else waiting.set(item.type, [item]);
      }
    return output.map((given, index) => {
      const isCall = asText(given["call_id"]) !== null;
      const item = named[index] ?? (isCall ? null : waiting.get(given["type"])?.shift());
      return this.#note(null, item ?? null, given);
    });
  }

  /** Returns the item with the id of `given` or of its call. */
  #named(given: JsonObject): Item | null {
    const byId = this.#byId.get(asText(given["id"]) ?? "");
    if (byId && mayBe(byId, given)) return byId;
    const byCall = this.#byCall.get(asText(given["call_id"]) ?? "");
    return byCall && mayBe(byCall, given) ? byCall : null;
  }

  #note(index: unknown, found: Item | null, given: JsonObject): number {
    const item = found ?? this.#create(index);
    item.type ??= asText(given["type"]);
    item.id = asText(given["id"]) ?? item.id;
    item.callId ??= asText(given["call_id"]);
    if (item.id !== null) this.#byId.set(item.id, item);
    if (item.callId !== null) this.#byCall.set(item.callId, item);
    if (index !== null) this.#byIndex.set(index, item);
    return item.place;
  }

  /** Creates an item at its index, or after all others if the index is taken. */
  #create(index: unknown): Item {
    const isFree = typeof index === "number" && Number.isSafeInteger(index) && index >= 0 && !this.#places.has(index);
    const item = { place: isFree ? index : this.#next, type: null, id: null, callId: null, isDone: false };
    this.#places.add(item.place);
    this.#next = Math.max(this.#next, item.place + 1);
    this.#items.push(item);
    return item;
  }
}

const differs = (one: string | null, other: string | null): boolean => one !== null && other !== null && one !== other;

/** False if the type or call differs from the given item. Ids aren't compared, because some upstreams change them with each event. */
const mayBe = ({ type, callId }: Item, given: JsonObject): boolean =>
  !differs(type, asText(given["type"])) && !differs(callId, asText(given["call_id"]));
