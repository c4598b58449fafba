import type { AnswerChunk, AnswerReader, Delta } from "../answer-chunk";
import { answerObject, asObject, asObjects, asText, BrokenAnswer, type JsonObject } from "../broken-answer";
import { readChatUsage } from "../read-usage";

type ToolCallDelta = NonNullable<Delta["tool_calls"]>[number];

/**
 * Reads chat completions, tolerating deviations of real upstreams, as canonical chunks of the first choice: tool calls
 * get unique indexes, reasoning a single field, and usage is either complete or absent. Unknown fields pass through.
 */
export class ChatAnswerReader implements AnswerReader {
  #hasBegun = false;
  #isFinished = false;
  #id: string | null = null;
  /** All calls so far, and the latest call for each upstream index. */
  #calls: { id: string }[] = [];
  #lastCall = new Map<unknown, number>();

  /** Always false: usage may follow the last choice, so only the end of the stream completes the answer. */
  readonly isComplete = false;

  read(event: unknown): AnswerChunk[] {
    return [this.#chunk(answerObject(event), "delta")];
  }

  readWhole(body: unknown): AnswerChunk[] {
    const chunk = this.#chunk(answerObject(body), "message");
    if (chunk.choices.length === 0) throw notChat(body);
    return [chunk];
  }

  end(isMarked: boolean): AnswerChunk[] {
    if (this.#isFinished) return [];
    if (!isMarked || !this.#hasBegun) throw new BrokenAnswer("The stream ended in the middle of the answer", "");
    return [{ choices: [{ index: 0, delta: {}, finish_reason: this.#calls.length > 0 ? "tool_calls" : "stop" }] }];
  }

  #chunk(received: JsonObject, said: "delta" | "message"): AnswerChunk {
    const event = "responseEvent" in received ? without(received, "responseEvent") : received;
    const usage = readChatUsage(event["usage"]);
    const choices = event["choices"] ?? (usage && []);
    if (!Array.isArray(choices)) throw notChat(event);
    this.#id ??= asText(event["id"]);
    const choice = asObjects(choices).find(({ index = 0 }) => index === 0);
    return {
      ...event,
      id: this.#id,
      created: typeof event["created"] === "number" ? Math.floor(event["created"]) : null,
      usage,
      choices: choice ? [this.#choice(choice, said)] : [],
    };
  }

  #choice(choice: JsonObject, said: "delta" | "message"): AnswerChunk["choices"][number] {
    const words = asObject(choice[said]);
    if (!words && said === "message") throw notChat(without(choice, "delta", "message"));
    this.#hasBegun = true;
    const finish_reason = asText(choice["finish_reason"]);
    this.#isFinished ||= finish_reason !== null;
    const own = "message" in choice ? without(choice, "message") : choice;
    return { ...own, index: 0, delta: this.#delta(words ?? {}), finish_reason };
  }

  #delta(words: JsonObject): Delta {
    if (isPlainText(words)) return words;
    const { content, reasoning, reasoning_content, refusal, tool_calls, ...rest } = words;
    const parts = asObjects(content);
    const thought =
      asText(reasoning) ??
      asText(reasoning_content) ??
      (textsOf(parts, "thinking") || detailText(rest["reasoning_details"]));
    const calls = asObjects(tool_calls).map((call) => this.#call(call));
    return {
      ...rest,
      ...(content !== undefined && { content: parts.length > 0 ? textsOf(parts, "text") : asText(content) }),
      ...(thought && { reasoning: thought }),
      ...(typeof refusal === "string" && { refusal }),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
  }

  /**
   * Starts a new call for a new index, or when both id and name are present: some upstreams don't increment the index.
   */
  #call({ index: given, id: givenId, function: part, ...rest }: JsonObject): ToolCallDelta {
    const { name, arguments: args } = asObject(part) ?? {};
    const id = asText(givenId) || null;
    const known =
      this.#lastCall.get(given) ?? (id === null && given === undefined ? this.#lastCall.get("any") : undefined);
    const isNew = known === undefined || (id !== null && !!name && id !== this.#calls[known]?.id);
    const index = isNew ? this.#calls.length : known;
    if (isNew) this.#calls.push({ id: id ?? `call_${this.#id ?? "upstream"}_${index}` });
    this.#lastCall.set(given, index).set("any", index);
    return {
      ...rest,
      index,
      ...(isNew && { id: this.#calls[index]?.id, type: "function" }),
      function: {
        ...(isNew && { name: asText(name) ?? "" }),
        arguments: typeof args === "object" && args !== null ? JSON.stringify(args) : (asText(args) ?? ""),
      },
    };
  }
}

const without = (object: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/** True for words that need no change, as nearly all of a stream: they aren't copied. */
const isPlainText = (words: JsonObject): words is JsonObject & { content?: string | null } =>
  (typeof words["content"] === "string" || words["content"] === null || !("content" in words)) &&
  !("refusal" in words || "tool_calls" in words) &&
  !("reasoning" in words || "reasoning_content" in words || "reasoning_details" in words);

const notChat = (value: unknown) => new BrokenAnswer("The answer is not a chat completion", JSON.stringify(value));

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
