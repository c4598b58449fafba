import { operation } from "../platform/http/operation";
import { ChatCompletionsBody } from "../engine/protocols/contracts/chat-request-contract";
import { ChatCompletion, ChatCompletionChunk } from "../engine/protocols/contracts/chat-result-contract";
import { ResponseEvent } from "../engine/protocols/contracts/responses-events-contract";
import { ResponsesBody } from "../engine/protocols/contracts/responses-request-contract";
import { ResponseObject } from "../engine/protocols/contracts/responses-result-contract";
import { TEXT_FIELDS } from "./vocabulary";

const inference = {
  tag: "Inference",
  access: "inference",
  method: "POST",
  status: 200,
  errors: [404, 503],
  passesBody: true,
  passesResult: true,
} as const;

export const createResponse = operation({
  ...inference,
  id: "createResponse",
  path: "/responses",
  summary: "Create a response, complete or streamed",
  body: ResponsesBody,
  bodySize: "large",
  withNul: TEXT_FIELDS,
  result: ResponseObject,
  streams: ResponseEvent,
  example: { body: { model: "sandbox/echo", input: "Hello", max_output_tokens: 50 } },
});

export const createChatCompletion = operation({
  ...inference,
  id: "createChatCompletion",
  path: "/chat/completions",
  summary: "Create a chat completion, complete or streamed",
  body: ChatCompletionsBody,
  bodySize: "large",
  withNul: TEXT_FIELDS,
  result: ChatCompletion,
  streams: ChatCompletionChunk,
  example: { body: { model: "sandbox/echo", messages: [{ role: "user", content: "Hello" }] } },
});
