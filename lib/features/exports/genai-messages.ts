import "server-only";
import { asObject, asObjects, asText, jsonIn } from "../../platform/json-values";
import type { GenerationContent } from "../content-access/contract";

/** A message in the format of `gen_ai.input.messages` and `gen_ai.output.messages` of the GenAI conventions. */
export interface GenAiMessage {
  role: string;
  parts: Part[];
  finish_reason?: string;
}
type Part = Readonly<Record<string, unknown>> & { type: string };
type Message = Readonly<Record<string, unknown>>;

/** Receivers limit the size of an attribute. */
const MOST_CHARACTERS = 32_000;

/** Converts prompts, and truncates their texts after 32,000 characters in total. */
export function inputMessages({ input }: GenerationContent): GenAiMessage[] {
  const take = taking();
  return shown(input.messages.map((message) => ({ role: message.role, parts: partsOf(message, take) })));
}

/** Converts completions to one message per choice. `finishReason` belongs to the first choice. */
export function outputMessages({ output }: GenerationContent, finishReason: string): GenAiMessage[] {
  const take = taking();
  const { completion, choices = [], ...first } = output;
  const others = choices.filter(({ index }) => index > 0);
  const further = choices.find(({ index }) => index === 0)?.message;
  return shown([
    {
      role: "assistant",
      parts: partsOf({ content: completion, ...first, ...further }, take),
      finish_reason: finishReason,
    },
    ...others.map((choice) => ({
      role: "assistant",
      parts: partsOf(choice.message, take),
      finish_reason: asText(choice["finish_reason"]) ?? finishReason,
    })),
  ]);
}

const shown = (messages: readonly GenAiMessage[]) => messages.filter(({ parts }) => parts.length > 0);

type Take = (text: string) => string;

/** Returns a function that truncates each text to the remaining limit. */
function taking(): Take {
  let room = MOST_CHARACTERS;
  return (text) => {
    const taken = text.slice(0, room);
    room -= taken.length;
    return taken;
  };
}

function partsOf(message: Message, take: Take): Part[] {
  const content = take(asText(message["content"]) ?? "");
  if (message["role"] === "tool" || message["role"] === "function") {
    const id = asText(message["tool_call_id"]) ?? asText(message["name"]);
    return content === "" ? [] : [{ type: "tool_call_response", id, response: content }];
  }
  const reasoning = take(asText(message["reasoning"]) ?? "");
  const refusal = take(asText(message["refusal"]) ?? "");
  const functionCall = asObject(message["function_call"]);
  const calls = [...asObjects(message["tool_calls"]), ...(functionCall ? [{ function: functionCall }] : [])];
  return [
    ...(reasoning === "" ? [] : [{ type: "reasoning", content: reasoning }]),
    ...[content, refusal].flatMap((text) => (text === "" ? [] : [{ type: "text", content: text }])),
    ...calls.map((call) => toolCall(call, take)),
  ];
}

function toolCall(call: Message, take: Take): Part {
  const { name, arguments: text, input } = asObject(call["function"]) ?? asObject(call["custom"]) ?? {};
  const given = asText(text) ?? asText(input) ?? "";
  const taken = take(given);
  return {
    type: "tool_call",
    id: asText(call["id"]),
    name: asText(name) ?? asText(call["type"]),
    // Truncated arguments are no longer JSON.
    arguments: (taken === given ? asObject(jsonIn(given)) : null) ?? taken,
  };
}
