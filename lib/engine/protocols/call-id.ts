import "server-only";
import { createHash } from "node:crypto";
import { asObject, asObjects, type JsonObject } from "../../platform/json-values";

/** Longest ids of tool calls that strict upstreams accept: OpenAI's Chat Completions, and other APIs. */
const MAX_OF_CHAT = 40;
export const MAX_CALL_ID = 64;
const DIGEST = 16;

/** Returns an id that an upstream accepts. A long id keeps its beginning and ends with its hash. */
export const shortCallId = (id: string, most: number): string =>
  id.length <= most
    ? id
    : `${id.slice(0, most - DIGEST - 1)}_${createHash("sha256").update(id).digest("hex").slice(0, DIGEST)}`;

/** Returns an id for a call without one; `answer` is unique for each answer. */
export const madeUpCallId = (answer: string, place: string | number, prefix = "call"): string =>
  shortCallId(`${prefix}_${answer}_${place}`, MAX_OF_CHAT);

/** Shortens the ids of calls and of their results in the messages of a chat completion. */
export function withShortCallIds(messages: unknown): unknown {
  const isLong = (id: unknown): id is string => typeof id === "string" && id.length > MAX_OF_CHAT;
  const hasLong = (message: JsonObject) =>
    isLong(message["tool_call_id"]) || asObjects(message["tool_calls"]).some(({ id }) => isLong(id));
  if (!Array.isArray(messages) || !asObjects(messages).some(hasLong)) return messages;
  const short = (id: unknown) => (isLong(id) ? shortCallId(id, MAX_OF_CHAT) : id);
  return messages.map((given: unknown) => {
    const message = asObject(given);
    if (!message || !hasLong(message)) return given;
    const { tool_call_id, tool_calls } = message;
    return {
      ...message,
      ...(isLong(tool_call_id) && { tool_call_id: short(tool_call_id) }),
      ...(Array.isArray(tool_calls) && {
        tool_calls: asObjects(tool_calls).map((call) => ({ ...call, id: short(call["id"]) })),
      }),
    };
  });
}

/** Shortens the ids of calls and of their results in the input of a Responses request. */
export function withShortItemCallIds(input: unknown): unknown {
  const isLong = (item: unknown): boolean => {
    const id = asObject(item)?.["call_id"];
    return typeof id === "string" && id.length > MAX_CALL_ID;
  };
  if (!Array.isArray(input) || !input.some(isLong)) return input;
  return input.map((item: unknown) =>
    isLong(item) ? { ...asObject(item), call_id: shortCallId(String(asObject(item)?.["call_id"]), MAX_CALL_ID) } : item,
  );
}
