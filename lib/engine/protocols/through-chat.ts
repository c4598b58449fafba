import type { ChatCompletionsBody, ResponsesBody } from "../../gateway/contract";
import { responsesToChat } from "./chat/from-responses";
import { responsesPath } from "./chat/responses-path";
import type { Conversion, FieldRules } from "./field-rules";

/** A conversion of Chat Completions requests, with the rules that it applies. */
export interface FromChat {
  rules: FieldRules;
  convert: (body: ChatCompletionsBody) => Conversion;
}

/**
 * Converts a Responses request by way of Chat Completions. What only a Chat Completions upstream couldn't be sent
 * passes, but for a tool that it can do without; refusals of both steps name the caller's own fields.
 */
export function responsesThroughChat(body: ResponsesBody, { rules, convert }: FromChat): Conversion {
  const { draft, refused } = responsesToChat(body);
  const chat = { ...draft };
  const first = refused.filter(({ unless, leftOut }) => {
    if (leftOut !== undefined) return true;
    const rule = unless && Object.hasOwn(rules, unless.parameter) ? rules[unless.parameter]?.is : undefined;
    if (rule !== "carried" && rule !== "mapped") return true;
    unless?.write(chat);
    return false;
  });
  const second = convert(chat as ChatCompletionsBody);
  return {
    draft: second.draft,
    refused: [...first, ...second.refused.map((one) => ({ ...one, path: responsesPath(one.path, body) }))],
  };
}
