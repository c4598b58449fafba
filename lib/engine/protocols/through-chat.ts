import type { ChatCompletionsBody } from "./contracts/chat-request-contract";
import { messagesToChat } from "./chat/from-messages";
import { responsesToChat } from "./chat/from-responses";
import { messagesPath } from "./chat/messages-path";
import { responsesPath } from "./chat/responses-path";
import type { Conversion, FieldPath, FieldRules } from "./field-rules";
import type { InferenceRequest } from "./inference-request";

/** A conversion of Chat Completions requests, with the rules that it applies. */
export interface FromChat {
  rules: FieldRules;
  convert: (body: ChatCompletionsBody) => Conversion;
}

/** Converts a request to the fields of chat completions. */
export function toChat({ protocol, body }: Exclude<InferenceRequest, { protocol: "chat_completions" }>): Conversion {
  return protocol === "messages" ? messagesToChat(body) : responsesToChat(body);
}

/**
 * Converts a request by way of Chat Completions. Fields that only Chat Completions lacks pass, except optional tools.
 * Refusals of both steps name the caller's fields.
 */
export function throughChat(request: InferenceRequest, { rules, convert }: FromChat): Conversion {
  if (request.protocol === "chat_completions") return convert(request.body);
  const { draft, refused } = toChat(request);
  const chat = { ...draft };
  const first = refused.filter(({ unless, leftOut }) => {
    if (leftOut !== undefined && leftOut !== "field") return true;
    const rule = unless && Object.hasOwn(rules, unless.parameter) ? rules[unless.parameter]?.is : undefined;
    if (rule !== "carried" && rule !== "mapped") return true;
    unless?.write(chat);
    return false;
  });
  const { draft: converted, refused: refusals, honour } = convert(chat as ChatCompletionsBody);
  const callersPath = (path: FieldPath) =>
    request.protocol === "messages" ? messagesPath(path, request.body) : responsesPath(path, request.body);
  return {
    draft: converted,
    honour,
    refused: [...first, ...refusals.map((one) => ({ ...one, path: callersPath(one.path) }))],
  };
}
