import { SOURCE_FIELDS, type ResponseChunk, type UpstreamReader, type Delta } from "../response-chunk";
import { asObject, asObjects, asText, type JsonObject } from "../../../platform/json-values";
import { answerObject, BrokenResponse } from "../broken-response";
import { madeUpCallId } from "../call-id";
import { usageOfChat } from "../read-usage";
import { choiceIndexOf } from "./choice-index";

type ToolCallDelta = NonNullable<Delta["tool_calls"]>[number];

/**
 * Reads chat completions, tolerating deviations of real upstreams, as canonical chunks: tool calls get unique indexes and
 * ids, lists of content parts also become texts, and usage has its counts or is absent. Everything else passes as sent.
 */
export class ChatUpstreamReader implements UpstreamReader {
  #id: string | null = null;
  readonly #choices = new Map<number, ChoiceReader>();

  /** @param seed Makes the ids of calls unique that the upstream sends without one, in an answer without an id. */
  constructor(private readonly seed = "upstream") {}

  /** Always false: usage may follow the last choice, so only the end of the stream completes the answer. */
  readonly isComplete = false;

  read(event: unknown): ResponseChunk[] {
    return [this.#chunk(answerObject(event), "delta")];
  }

  readWhole(body: unknown): ResponseChunk[] {
    return [this.#chunk(answerObject(body), "message")];
  }

  end(isMarked: boolean): ResponseChunk[] {
    const open = [...this.#choices].filter(([, { isFinished }]) => !isFinished);
    const hasBegun = this.#choices.size > 0;
    if (hasBegun && open.length === 0) return [];
    if (!isMarked || !hasBegun)
      throw new BrokenResponse("The upstream's stream ended before the response was complete", "");
    const choices = open.map(([index, choice]) => ({
      index,
      delta: withCalls({}, choice.namelessCalls()),
      finish_reason: choice.hasCalls ? "tool_calls" : "stop",
    }));
    return [{ choices }];
  }

  /** Returns the event itself with canonical fields; copying thousands of events costs more than parsing them. */
  #chunk(received: JsonObject, said: "delta" | "message"): ResponseChunk {
    const event = SOURCE_FIELDS.some((name) => name in received) ? without(received, ...SOURCE_FIELDS) : received;
    const usage = usageOfChat(event);
    const choices = event["choices"] ?? (usage && []);
    if (!Array.isArray(choices)) throw notChat(event);
    const given = asObjects(choices);
    if (given.length === 0 && said === "message") throw notChat(received);
    this.#id ??= asText(event["id"]);
    const contentLists = listsIn(given, said);
    const read = given.map((choice) => this.#choice(choice, said));
    const sentCompletion = said === "message" && { ...event, choices: given.map((one, at) => asSent(one, read[at])) };
    return Object.assign(event, {
      id: this.#id,
      created: typeof event["created"] === "number" ? Math.floor(event["created"]) : null,
      usage: usage ?? (event["usage"] === null ? null : undefined),
      choices: read,
      ...(contentLists && { contentLists }),
      ...(sentCompletion && { sentCompletion }),
    });
  }

  #choice(choice: JsonObject, said: "delta" | "message"): ResponseChunk["choices"][number] {
    const words = asObject(choice[said]);
    if (!words && said === "message") throw notChat(without(choice, "delta", "message"));
    const index = choiceIndexOf(choice);
    let reader = this.#choices.get(index);
    if (!reader) {
      if (this.#choices.size >= MOST_CHOICES) throw notChat({ choices: this.#choices.size + 1 });
      this.#choices.set(index, (reader = new ChoiceReader(index)));
    }
    // Some upstreams send an empty reason with every delta.
    const finish_reason = asText(choice["finish_reason"]) || null;
    reader.isFinished ||= finish_reason !== null;
    const own = "message" in choice ? withoutMessage(choice) : choice;
    const delta = reader.delta(words ?? {}, this.#id || this.seed);
    const nameless = finish_reason !== null || said === "message" ? reader.namelessCalls() : [];
    return Object.assign(own, { index, delta: withCalls(delta, nameless), finish_reason });
  }
}

/** Returns the choice of a whole answer as sent, except that its calls get ids and arguments as text. */
function asSent(choice: JsonObject, read: ResponseChunk["choices"][number] | undefined): JsonObject {
  const message = asObject(choice["message"]);
  const sent = asObjects(message?.["tool_calls"]);
  const calls = (read?.delta.tool_calls ?? []).map(({ index: _, ...call }, place) => ({
    ...call,
    ...(sent[place]?.["index"] !== undefined && { index: sent[place]["index"] }),
  }));
  return calls.length > 0 ? { ...choice, message: { ...message, tool_calls: calls } } : choice;
}

const withoutMessage = ({ message: _, ...rest }: JsonObject): JsonObject => rest;

/** Returns the contents that are lists, by choice index; null without any. */
function listsIn(choices: readonly JsonObject[], said: "delta" | "message"): Map<number, unknown[]> | null {
  let lists: Map<number, unknown[]> | null = null;
  for (const choice of choices) {
    const content = asObject(choice[said])?.["content"];
    if (Array.isArray(content))
      (lists ??= new Map<number, unknown[]>()).set(choiceIndexOf(choice), content as unknown[]);
  }
  return lists;
}

/** Maximum number of choices: those a request can ask for, and a margin for upstreams that add some. */
const MOST_CHOICES = 256;

const withCalls = (delta: Delta, calls: readonly ToolCallDelta[]): Delta =>
  calls.length > 0 ? { ...delta, tool_calls: [...(delta.tool_calls ?? []), ...calls] } : delta;

/** Maximum number of characters of a choice's calls that are held back. */
const MOST_HELD = 64 * 1024;

/** One piece of a tool call. */
interface CallPiece {
  /** The piece as sent. */
  sent: JsonObject;
  id: string | null;
  name: string;
  isCustom: boolean;
  words: string;
}

/** One choice of an answer. */
class ChoiceReader {
  isFinished = false;
  /** All calls so far, and the latest call for each upstream index. */
  readonly #calls: { id: string; given: string | null }[] = [];
  readonly #ids = new Set<string>();
  readonly #lastCall = new Map<unknown, number>();
  /** Calls held back until their name arrives, because other protocols need it in the first event of a call. */
  readonly #nameless = new Map<number, CallPiece>();
  #held = 0;

  constructor(private readonly choice: number) {}

  get hasCalls(): boolean {
    return this.#calls.length > 0;
  }

  delta(words: JsonObject, answerId: string): Delta {
    if (isPlainText(words)) return words;
    const { content, reasoning, reasoning_content, refusal, tool_calls, ...rest } = words;
    const parts = asObjects(content);
    const thought =
      asText(reasoning) ??
      (typeof reasoning_content === "string"
        ? undefined
        : textsOf(parts, "thinking") || detailText(rest["reasoning_details"]) || null);
    const given = asObjects(tool_calls);
    // Several calls of one delta are different calls, also without indexes.
    const calls = given.flatMap((call, place) =>
      this.#call(given.length > 1 ? { index: place, ...call } : call, answerId),
    );
    return {
      ...rest,
      ...(content !== undefined && { content: parts.length > 0 ? textsOf(parts, "text") : asText(content) }),
      ...(thought ? { reasoning: thought } : isTextOrNull(reasoning) && { reasoning }),
      ...(isTextOrNull(reasoning_content) && { reasoning_content }),
      ...(isTextOrNull(refusal) && { refusal }),
      ...(calls.length > 0 ? { tool_calls: calls } : isEmptyList(tool_calls) && { tool_calls }),
    };
  }

  /** Returns the calls whose name never arrived. */
  namelessCalls(): ToolCallDelta[] {
    if (this.#nameless.size === 0) return [];
    const calls = [...this.#nameless].map(([index, piece]) => spokenCall(index, piece, this.#calls[index]?.id));
    this.#nameless.clear();
    return calls;
  }

  /**
   * Starts a new call for a new index, or when both id and name are present: some upstreams don't increment the index.
   */
  #call(sent: JsonObject, answerId: string): ToolCallDelta[] {
    const { index: given, id: givenId, type, function: called, custom } = sent;
    const id = asText(givenId) || null;
    const isCustom = type === "custom" || (called === undefined && custom !== undefined);
    const { name: givenName, arguments: args, input } = asObject(isCustom ? custom : called) ?? {};
    const name = asText(givenName) ?? "";
    const words = isCustom ? (asText(input) ?? "") : argumentsText(args);
    const piece = { sent, id, name, isCustom, words };
    const known =
      this.#lastCall.get(given) ?? (id === null && given === undefined ? this.#lastCall.get("any") : undefined);
    const held = known === undefined ? undefined : this.#nameless.get(known);
    const isNew =
      known === undefined || (id !== null && name !== "" && id !== this.#calls[known]?.given && held?.id !== null);
    const index = isNew ? this.#calls.length : known;
    this.#lastCall.set(given, index).set("any", index);
    if (!isNew && !held) return [spokenCall(index, piece, id === null ? null : this.#calls[index]?.id)];
    const whole = isNew || !held ? piece : joined(held, piece);
    if (isNew || (id !== null && held?.id === null))
      this.#calls[index] = { id: this.#idOf(id, index, answerId), given: id };
    if (name === "" && this.#held + words.length <= MOST_HELD) {
      this.#held += words.length;
      this.#nameless.set(index, whole);
      return [];
    }
    this.#nameless.delete(index);
    return [spokenCall(index, whole, this.#calls[index]?.id)];
  }

  /** Returns the id of a call, ignoring an id that another call of the answer has. */
  #idOf(given: string | null, index: number, answerId: string): string {
    const place = this.choice === 0 ? index : `${this.choice}_${index}`;
    const id = given === null || this.#ids.has(given) ? madeUpCallId(answerId, place) : given;
    this.#ids.add(id);
    return id;
  }
}

/** Returns the delta of a call as sent, with the call's index and id. */
function spokenCall(index: number, { sent, isCustom, words }: CallPiece, id: string | null = null): ToolCallDelta {
  const part = isCustom ? "custom" : "function";
  const field = isCustom ? "input" : "arguments";
  const called = asObject(sent[part]);
  const isText = called !== null && isTextOrNull(called[field] ?? null);
  return {
    ...sent,
    ...(!isText && { [part]: { ...called, [field]: words } }),
    ...(id !== null && { id }),
    index,
  };
}

function joined(held: CallPiece, piece: CallPiece): CallPiece {
  const isCustom = held.isCustom || piece.isCustom;
  const part = isCustom ? "custom" : "function";
  const words = held.words + piece.words;
  const called = {
    ...asObject(held.sent[part]),
    ...asObject(piece.sent[part]),
    [isCustom ? "input" : "arguments"]: words,
  };
  return {
    sent: { ...held.sent, ...piece.sent, [part]: called },
    id: held.id ?? piece.id,
    name: piece.name,
    isCustom,
    words,
  };
}

/** Returns arguments as JSON text; some upstreams send the object itself. */
const argumentsText = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : (asText(value) ?? "");

const isTextOrNull = (value: unknown): value is string | null => typeof value === "string" || value === null;
const isEmptyList = (value: unknown): value is [] | null =>
  value === null || (Array.isArray(value) && value.length === 0);

const without = (object: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/** True for words that need no change, as most in a stream do; they aren't copied. */
const isPlainText = (words: JsonObject): words is JsonObject & { content?: string | null } =>
  (typeof words["content"] === "string" || words["content"] === null || !("content" in words)) &&
  !("refusal" in words || "tool_calls" in words) &&
  !("reasoning" in words || "reasoning_content" in words || "reasoning_details" in words);

const notChat = (value: unknown) =>
  new BrokenResponse("The upstream's response is not a chat completion", JSON.stringify(value));

/** Extracts the text of content arrays: `{type: "text", text}`, `{type: "thinking", thinking: [{text}]}`. */
const textsOf = (parts: readonly JsonObject[], kind: "text" | "thinking"): string =>
  parts
    .filter(({ type }) => type === kind)
    .map((part) => asText(part[kind]) ?? textsOf(asObjects(part[kind]), "text"))
    .join("");

const detailText = (details: unknown): string =>
  asObjects(details)
    .map(({ text, summary }) => asText(text) ?? asText(summary) ?? "")
    .join("");
