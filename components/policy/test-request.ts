import type { PolicyCheck } from "@/lib/features/policy-check/contract";
import type { ApiType, PROTOCOLS } from "@/lib/engine/protocols/vocabulary";

export type Protocol = (typeof PROTOCOLS)[number];

/** Protocol for testing a recorded request: the log stores prompts of every other API as chat messages. */
export const testProtocol = (recorded: ApiType): Protocol =>
  recorded === "responses" ? "responses" : "chat_completions";

export interface Message {
  role: string;
  content: string;
}

/** Request body for the messages. */
export function requestOf(protocol: Protocol, model: string, messages: readonly Message[]): Record<string, unknown> {
  return protocol === "responses" ? { model, input: messages } : { model, messages };
}

/** True if a span's path points to the text of the given message. */
export const isIn = (path: readonly (string | number)[], index: number): boolean =>
  (path[0] === "input" || path[0] === "messages") && path[1] === index && path[2] === "content";

/** Messages of an upstream request in Chat Completions, Responses or Messages, from strings or text parts. */
export function sentMessages(request: NonNullable<PolicyCheck["request"]>): Message[] {
  const { messages, input, instructions, system } = request;
  const given = messages ?? input;
  const items =
    typeof given === "string" ? [{ role: "user", content: given }] : Array.isArray(given) ? (given as unknown[]) : [];
  const leading = textOf(instructions ?? system);
  const first = leading === "" ? [] : [{ role: "system", content: leading }];
  return [...first, ...items].flatMap((item) => {
    if (typeof item !== "object" || item === null || !("content" in item)) return [];
    return [
      { role: "role" in item && typeof item.role === "string" ? item.role : "user", content: textOf(item.content) },
    ];
  });
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? (content as unknown[]) : [];
  return parts
    .flatMap((part) =>
      typeof part === "object" && part !== null && "text" in part && typeof part.text === "string" ? [part.text] : [],
    )
    .join("\n");
}
