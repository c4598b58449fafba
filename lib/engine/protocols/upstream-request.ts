import { toChatDraft } from "./chat/upstream-request";
import { chatToResponses } from "./responses/from-chat";
import type { InferenceRequest } from "./inference-request";
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
  request: InferenceRequest,
  { provider, upstreamModel, supportedParameters }: Endpoint,
): UpstreamRequest {
  if (provider.protocol === "responses") {
    const body = request.protocol === "responses" ? request.body : chatToResponses(request.body);
    return { path: "/responses", body: { model: upstreamModel, ...toResponsesDraft(body, supportedParameters) } };
  }
  const body = request.protocol === "responses" ? responsesToChat(request.body) : request.body;
  return { path: "/chat/completions", body: { model: upstreamModel, ...toChatDraft(body, supportedParameters) } };
}
