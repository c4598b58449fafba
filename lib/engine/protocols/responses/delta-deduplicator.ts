import type { Delta } from "../response-chunk";
import { toChatAnnotation, toReasoningDetails } from "../response-details";
import { madeUpCallId } from "../call-id";
import { asObjects, asText, type JsonObject } from "../../../platform/json-values";

/** Place of an item in the answer (`ItemPlaces`). */
type Place = number;

/** Form of a received text: an addition to a part, or the whole part. */
type Form = "delta" | "complete";

/**
 * Removes duplicates from a Responses stream, where deltas, completed parts, completed items and the completed answer
 * repeat each other. Stores lengths instead of texts.
 */
export class DeltaDeduplicator {
  #lengths = new Map<string, number>();
  #calls = new Map<Place, number>();
  #completeCalls = new Set<string>();
  /** The field used for an item's reasoning, summary or content: the first one received. */
  #reasoningFields = new Map<Place, "summary" | "content">();

  /** @param seed Makes the ids of calls unique that the upstream sends without one. */
  constructor(private readonly seed: string) {}

  get hasCalls(): boolean {
    return this.#calls.size > 0;
  }

  text(field: "content" | "refusal", item: Place, part: number, words: string | null, form: Form): Delta {
    const next = this.#next(`${field} ${item} ${part}`, words, form);
    return next === "" ? {} : { [field]: next };
  }

  /** Parts of an item's reasoning are separate paragraphs. */
  reasoning(field: "summary" | "content", item: Place, part: number, words: string | null, form: Form): Delta {
    if (!this.#reasoningFields.has(item)) this.#reasoningFields.set(item, field);
    if (this.#reasoningFields.get(item) !== field) return {};
    const place = `reasoning ${item} ${part}`;
    const isFirst = !this.#lengths.has(place);
    const next = this.#next(place, words, form);
    if (next === "") return {};
    return { reasoning: isFirst && part !== 0 ? `\n\n${next}` : next };
  }

  call(item: Place, { type, call_id, id, name }: JsonObject): Delta {
    if (this.#calls.has(item)) return {};
    const index = this.#calls.size;
    this.#calls.set(item, index);
    const common = { index, id: asText(call_id) || asText(id) || madeUpCallId(this.seed, index) };
    const called = { name: asText(name) ?? "" };
    return {
      tool_calls: [
        type === "custom_tool_call"
          ? { ...common, type: "custom", custom: { ...called, input: "" } }
          : { ...common, type: "function", function: { ...called, arguments: "" } },
      ],
    };
  }

  callInput(item: Place, words: string | null, form: Form): Delta {
    const index = this.#calls.get(item);
    const next = index === undefined ? "" : this.#nextOfCall(`input ${item}`, words, form);
    return index === undefined || next === "" ? {} : { tool_calls: [{ index, custom: { input: next } }] };
  }

  callArguments(item: Place, words: string | null, form: Form): Delta {
    const index = this.#calls.get(item);
    const next = index === undefined ? "" : this.#nextOfCall(`arguments ${item}`, words, form);
    return index === undefined || next === "" ? {} : { tool_calls: [{ index, function: { arguments: next } }] };
  }

  annotation(item: Place, part: number, index: unknown, annotation: unknown): Delta {
    return this.#isNew(`annotation ${item} ${part} ${String(index)}`)
      ? { annotations: [toChatAnnotation(annotation)] }
      : {};
  }

  /** Returns the parts of an item not returned before. */
  item(place: Place, item: JsonObject): Delta {
    switch (item["type"]) {
      case "message":
        return asObjects(item["content"])
          .map((part, index) => this.#part(place, index, part))
          .reduce(mergeDeltas, {});
      case "reasoning":
        return [
          ...asObjects(item["summary"]).map(({ text }, index) =>
            this.reasoning("summary", place, index, asText(text), "complete"),
          ),
          ...asObjects(item["content"]).map(({ text }, index) =>
            this.reasoning("content", place, index, asText(text), "complete"),
          ),
          this.#sealed(place, item),
        ].reduce(mergeDeltas, {});
      case "function_call":
        return mergeDeltas(this.call(place, item), this.callArguments(place, asText(item["arguments"]), "complete"));
      case "custom_tool_call":
        return mergeDeltas(this.call(place, item), this.callInput(place, asText(item["input"]), "complete"));
      case "image_generation_call":
        return this.#image(place, item);
      default:
        return {};
    }
  }

  #part(item: Place, part: number, { text, refusal, annotations }: JsonObject): Delta {
    const cited = asObjects(annotations).map((annotation, index) => this.annotation(item, part, index, annotation));
    return [
      this.text("content", item, part, asText(text), "complete"),
      this.text("refusal", item, part, asText(refusal), "complete"),
      ...cited,
    ].reduce(mergeDeltas, {});
  }

  #sealed(place: Place, item: JsonObject): Delta {
    const details = toReasoningDetails(item);
    return details.length > 0 && this.#isNew(`sealed ${place}`) ? { reasoning_details: details } : {};
  }

  #image(place: Place, { result, output_format }: JsonObject): Delta {
    if (!asText(result) || !this.#isNew(`image ${place}`)) return {};
    return {
      images: [
        {
          type: "image_url",
          image_url: { url: `data:image/${asText(output_format) ?? "png"};base64,${String(result)}` },
        },
      ],
    };
  }

  #next(place: string, words: string | null, form: Form): string {
    const length = this.#lengths.get(place) ?? 0;
    const next = (form === "complete" ? words?.slice(length) : words) ?? "";
    if (next !== "") this.#lengths.set(place, length + next.length);
    return next;
  }

  /** Returns the new part of a call. Pieces after its completion are repetitions. */
  #nextOfCall(place: string, words: string | null, form: Form): string {
    if (form === "delta" && this.#completeCalls.has(place)) return "";
    if (form === "complete" && words) this.#completeCalls.add(place);
    return this.#next(place, words, form);
  }

  #isNew(place: string): boolean {
    const isNew = !this.#lengths.has(place);
    this.#lengths.set(place, 0);
    return isNew;
  }
}

/** Merges two deltas by concatenating texts and lists. */
export function mergeDeltas(first: Delta, second: Delta): Delta {
  const sum: Record<string, unknown> = { ...first };
  for (const [field, value] of Object.entries(second)) {
    const before = sum[field];
    sum[field] =
      Array.isArray(before) && Array.isArray(value)
        ? [...(before as unknown[]), ...(value as unknown[])]
        : typeof before === "string"
          ? before + String(value)
          : value;
  }
  return sum;
}
