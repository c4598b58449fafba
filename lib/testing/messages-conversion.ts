import { expect } from "vitest";
import { ChatCompletionsBody } from "../engine/protocols/contracts/chat-request-contract";
import { ResponsesBody } from "../engine/protocols/contracts/responses-request-contract";
import { MessagesBody } from "../engine/protocols/contracts/messages-request-contract";
import type { Protocol } from "../engine/endpoint";
import type { InferenceRequest } from "../engine/protocols/inference-request";
import { unconvertible, unsupportedFields, upstreamRequest } from "../engine/protocols/upstream-request";
import { endpointOf } from "./endpoints";
import { StrictMessagesBody } from "./strict-messages";

export type Body = Record<string, unknown>;

export const BUDGET_MODEL = "claude-sonnet-4-5-20250929";
export const ADAPTIVE_MODEL = "claude-opus-4-6";
export const LATEST_MODEL = "claude-opus-5";

export const PNG = "iVBORw0KGgo=";
const messages = [{ role: "user", content: "hi" }];
const MINIMAL = { chat_completions: { messages }, responses: { input: "hi" }, messages: { max_tokens: 9, messages } };
const CONTRACT = { chat_completions: ChatCompletionsBody, responses: ResponsesBody, messages: MessagesBody };
export const requestOf = (fields: object, protocol: Protocol = "chat_completions") =>
  ({ protocol, body: CONTRACT[protocol].parse({ ...MINIMAL[protocol], ...fields }) }) as InferenceRequest;
export const messagesEndpoint = (upstreamModel = BUDGET_MODEL, supportedParameters: string[] | null = null) =>
  endpointOf({ provider: { protocol: "messages" }, upstreamModel, supportedParameters });
export const sent = (request: InferenceRequest, model?: string, supported?: string[]) =>
  JSON.parse(JSON.stringify(upstreamRequest(request, messagesEndpoint(model, supported)).body)) as Body;
export const refusals = (request: InferenceRequest, model?: string, supported?: string[]) =>
  unconvertible(request, messagesEndpoint(model, supported)).map(({ path }) => path.join("."));
export const problems = (body: Body) =>
  (StrictMessagesBody.safeParse(body).error?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`);

/** Returns the request that a Messages upstream receives, which it must accept. */
export function converted(fields: object, model?: string, protocol?: Protocol): Body {
  const request = requestOf(fields, protocol);
  expect(refusals(request, model)).toEqual([]);
  const body = sent(request, model);
  expect(problems(body)).toEqual([]);
  return body;
}
/** Returns the places of the fields that a Messages upstream doesn't receive. */
export const droppedOf = (fields: object, protocol?: Protocol) =>
  unsupportedFields(requestOf(fields, protocol), messagesEndpoint());
export const refusedOf = (fields: object, protocol?: Protocol) => refusals(requestOf(fields, protocol));

export const call = (id: string, name = "f", args = "{}") => ({
  id,
  type: "function",
  function: { name, arguments: args },
});
export const tool = (name: string, more: object = {}) => ({ type: "function", function: { name, ...more } });
