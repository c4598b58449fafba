import { toChatDraft } from "./chat/upstream-request";
import { chatToResponses } from "./responses/from-chat";
import type { Asked } from "./asked";
import type { Endpoint } from "../endpoint";
import { toResponsesDraft } from "./responses/upstream-request";
import { responsesToChat } from "./chat/from-responses";

/** The request sent upstream, with its path below the base URL. */
export interface UpstreamRequest {
  path: "/chat/completions" | "/responses";
  body: Record<string, unknown> & { model: string; stream: boolean };
}

/** Converts a caller's request to the protocol and fields supported by an endpoint. */
export function upstreamRequest(
  asked: Asked,
  { provider, upstreamModel, supportedParameters }: Endpoint,
): UpstreamRequest {
  if (provider.protocol === "responses") {
    const body = asked.protocol === "responses" ? asked.body : chatToResponses(asked.body);
    return { path: "/responses", body: { model: upstreamModel, ...toResponsesDraft(body, supportedParameters) } };
  }
  const body = asked.protocol === "responses" ? responsesToChat(asked.body) : asked.body;
  return { path: "/chat/completions", body: { model: upstreamModel, ...toChatDraft(body, supportedParameters) } };
}
