import type { ChatRequest } from "../../engine/protocols/upstream-request";
import { asObject } from "../../platform/json-values";
import { textOf } from "../../engine/protocols/message-text";
import { DirectResponse } from "../../platform/http/direct-response";
import type { Signal } from "../../platform/signal";
import { exampleOf } from "./example-value";
import { SSE_DONE, sseEvent } from "../../engine/protocols/server-sent-events";
import type { ChatFunctionTool } from "../../engine/protocols/contracts/tools-contract";

/** Accepts a chat completions request and responds like `fetch`. */
export type Upstream = (request: ChatRequest, signal: Signal) => Promise<Response>;

interface Delta {
  role?: "assistant";
  content?: string;
  reasoning?: string;
  tool_calls?: { index: number; id: string; type: "function"; function: { name: string; arguments: string } }[];
}

interface Answer {
  /** One token each, in order. */
  deltas: Delta[];
  finish_reason: "stop" | "length" | "tool_calls";
}

/** Maximum number of tokens of a response, whatever the request allows. */
const MOST_TOKENS = 16_384;

/** Splits the start of a text into at most `most` of the sandbox's tokens: words with their leading space. */
function words(text: string, most: number): string[] {
  const found: string[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    if (found.length >= most) break;
    found.push(text.slice(end, index + word.length));
    end = index + word.length;
  }
  return found;
}

const isSpace = Uint8Array.from({ length: 0x10000 }, (_, code) => (/\s/.test(String.fromCharCode(code)) ? 1 : 0));

/** Counts the tokens of a text, which may have millions of characters. */
export function countWords(text: string): number {
  let count = 0;
  let wasSpace = 1;
  for (let index = 0; index < text.length; index++) {
    const space = isSpace[text.charCodeAt(index)] as number;
    if (wasSpace > space) count += 1;
    wasSpace = space;
  }
  return count;
}

/**
 * The built-in upstream (docs/semantics.md#sandbox). It derives the response from the prompt, without a network. Counts
 * tokens as words.
 */
export async function sandbox(request: ChatRequest, signal: Signal): Promise<Response> {
  signal.throwIfAborted();
  const refused = sandboxRefusal(request.model);
  if (refused) return refused;
  const answer = compose(request);
  const usage = usageOf(request, answer);
  if (request.stream)
    return new DirectResponse(events(request, answer, usage, signal), {
      headers: { "content-type": "text/event-stream" },
    });
  const choices = indexesOf(request).map((index) => wholeChoice(answer, index));
  return Response.json({ ...head(request), object: "chat.completion", choices, usage });
}

const refusal = (status: number, message: string) =>
  Response.json({ error: { message, type: "server_error", code: status } }, { status });

/** Returns the error of a model that the sandbox doesn't have, or that always fails; null for others. */
export function sandboxRefusal(model: string): Response | null {
  if (model === "sandbox/unavailable") return refusal(503, "The model is overloaded");
  return model === "sandbox/echo" || model === "sandbox/reasoner" ? null : refusal(404, "The model does not exist");
}

const head = ({ model }: ChatRequest) => ({ id: "chatcmpl-sandbox", created: 0, model, system_fingerprint: "sandbox" });

/** Indexes of the choices, which are all equal. */
const indexesOf = ({ n }: ChatRequest): number[] => Array.from({ length: n ?? 1 }, (_, index) => index);

function compose(request: ChatRequest): Answer {
  const said = textOf(request.messages.findLast(({ role }) => role === "user")?.content);
  const called = calledTool(request, said);
  if (called) {
    const call = {
      name: called.name,
      arguments: JSON.stringify(exampleOf(called.parameters ?? { type: "object" }, said)),
    };
    return {
      deltas: [{ tool_calls: [{ index: 0, id: "call_sandbox", type: "function", function: call }] }],
      finish_reason: "tool_calls",
    };
  }
  const thoughts =
    request.model === "sandbox/reasoner" ? `The user wrote ${countWords(said)} words. I will repeat them.` : "";
  const limit = Math.min(MOST_TOKENS, Math.max(0, request.max_completion_tokens ?? request.max_tokens ?? Infinity));
  const deltas = [
    ...words(thoughts, limit + 1).map((reasoning) => ({ reasoning })),
    ...words(answerText(request, said), limit + 1).map((content) => ({ content })),
  ];
  return { deltas: deltas.slice(0, limit), finish_reason: deltas.length > limit ? "length" : "stop" };
}

function answerText({ response_format: format }: ChatRequest, said: string): string {
  if (format?.type === "json_schema")
    return JSON.stringify(exampleOf((format["json_schema"] as { schema?: unknown } | undefined)?.schema, said));
  if (format?.type === "json_object") return JSON.stringify({ echo: said });
  return said === "" ? "You said nothing." : `You said: ${said}`;
}

/**
 * Returns the function to call: the one in `tool_choice`, the first for `required`, or else the first that a new user
 * message names with one of its words, as a question about the weather names `get_weather`.
 */
function calledTool(
  { tools = [], tool_choice: choice, messages }: ChatRequest,
  said: string,
): ChatFunctionTool["function"] | undefined {
  const functions = tools
    .filter((tool): tool is ChatFunctionTool => tool.type === "function")
    .map((tool) => tool.function);
  if (choice === "required") return functions[0];
  if ((choice ?? "auto") === "auto") {
    if (functions.length === 0 || messages.at(-1)?.role !== "user") return undefined;
    const message = new Set(said.slice(0, MAX_QUESTION).toLowerCase().match(LONG_WORD));
    return functions.find(({ name }) =>
      name
        .toLowerCase()
        .match(LONG_WORD)
        ?.some((word) => message.has(word)),
    );
  }
  const named = typeof choice === "object" && choice?.type === "function" ? asObject(choice["function"]) : null;
  return named ? functions.find(({ name }) => name === named["name"]) : undefined;
}

/** Words that can name a function; shorter ones such as "get" occur in any text. */
const LONG_WORD = /[a-z]{4,}/g;

/** Length of the start of a user message that is searched for function names. */
const MAX_QUESTION = 10_000;

function usageOf(request: ChatRequest, { deltas }: Answer) {
  const count = indexesOf(request).length;
  const prompt_tokens = request.messages.reduce((sum, { content }) => sum + countWords(textOf(content)), 0);
  const reasoning_tokens = deltas.filter(({ reasoning }) => reasoning !== undefined).length * count;
  const completion_tokens = deltas.length * count;
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens },
  };
}

function wholeChoice({ deltas, finish_reason }: Answer, index: number) {
  const joined = (field: "content" | "reasoning") => deltas.map((delta) => delta[field] ?? "").join("");
  const toolCalls = deltas.flatMap(({ tool_calls = [] }) => tool_calls.map(({ index: _, ...call }) => call));
  const reasoning = joined("reasoning");
  const message = {
    role: "assistant",
    content: toolCalls.length > 0 ? null : joined("content"),
    ...(reasoning !== "" && { reasoning }),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
  };
  return { index, message, finish_reason };
}

async function* events(
  request: ChatRequest,
  answer: Answer,
  usage: ReturnType<typeof usageOf>,
  signal: Signal,
): AsyncGenerator<string, void> {
  const chunk = (fields: { choices: unknown[]; usage?: unknown }) =>
    sseEvent({ ...head(request), object: "chat.completion.chunk", ...fields });
  const indexes = indexesOf(request);
  const each = (delta: Delta, finish_reason: string | null = null) =>
    indexes.map((index) => chunk({ choices: [{ index, delta, finish_reason }] }));
  yield* each({ role: "assistant", content: "" });
  for (const delta of answer.deltas) {
    signal.throwIfAborted();
    yield* each(delta);
  }
  yield* each({}, answer.finish_reason);
  if (request.stream_options?.include_usage) yield chunk({ choices: [], usage });
  yield SSE_DONE;
}
