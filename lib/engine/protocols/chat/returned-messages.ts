import { asObject, type JsonObject } from "../../../platform/json-values";
import type { Endpoint } from "../../endpoint";
import type { ChatMessage } from "../contracts/chat-messages-contract";
import { withoutClientFields } from "../client-fields";

type Target = Pick<Endpoint, "upstreamModel" | "supportedParameters">;

/** Google's models, whose own Chat Completions API accepts signatures of calls. */
const OF_GOOGLE = /gemini|gemma/i;

/**
 * Removes from messages what client libraries and Signalbox add to answers: earlier reasoning, unless the endpoint is
 * known to accept it, and signatures of Gemini's calls for models of other vendors. Upstreams reject unknown fields.
 */
export function returnedMessages(
  given: readonly ChatMessage[],
  { upstreamModel, supportedParameters }: Target,
): { messages: JsonObject[] } {
  const messages = withoutClientFields(given);
  const hasReasoning = supportedParameters?.includes("reasoning") !== true;
  const hasSignatures = !OF_GOOGLE.test(upstreamModel);
  const isReturned = (message: JsonObject): boolean =>
    message["role"] === "assistant" &&
    ((hasReasoning && (message["reasoning"] !== undefined || message["reasoning_details"] !== undefined)) ||
      (hasSignatures && callsOf(message).some(isSigned)));
  if (!messages.some(isReturned)) return { messages };
  return {
    messages: messages.flatMap((message: JsonObject) => {
      if (!isReturned(message)) return [message];
      const { reasoning, reasoning_details, ...rest } = message;
      const kept: JsonObject = hasReasoning ? rest : { ...rest, reasoning, reasoning_details };
      if (hasSignatures && callsOf(message).some(isSigned)) kept["tool_calls"] = callsOf(message).map(withoutSignature);
      return Object.keys(kept).length > 2 || kept["content"] !== null ? [kept] : [];
    }),
  };
}

const callsOf = ({ tool_calls: calls }: JsonObject): readonly unknown[] => (Array.isArray(calls) ? calls : []);

const isSigned = (call: unknown): boolean => asObject(asObject(call)?.["extra_content"])?.["google"] !== undefined;

function withoutSignature(call: unknown): unknown {
  if (!isSigned(call)) return call;
  const { extra_content, ...rest } = asObject(call) ?? {};
  const { google: _, ...others } = asObject(extra_content) ?? {};
  return Object.keys(others).length > 0 ? { ...rest, extra_content: others } : rest;
}
