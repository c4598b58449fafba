import { z } from "zod";
import { CountTokensBody, MessagesBody } from "../engine/protocols/contracts/messages-request-contract";
import { Message, MessageStreamEvent } from "../engine/protocols/contracts/messages-result-contract";
import { operation } from "../platform/http/operation";
import { TEXT_FIELDS } from "./vocabulary";

/** Anthropic's clients add `beta=true` for beta features; `anthropic-beta` selects them. */
const query = z.object({ beta: z.string().optional() });

const TokenCount = z.looseObject({ input_tokens: z.number().int().min(0) }).meta({ id: "TokenCount" });

export const createMessage = operation({
  tag: "Inference",
  access: "inference",
  method: "POST",
  status: 200,
  errors: [404, 503],
  streams: MessageStreamEvent,
  passesBody: true,
  passesResult: true,
  errorFormat: "messages",
  id: "createMessage",
  path: "/messages",
  summary: "Create a message, complete or streamed",
  query,
  body: MessagesBody,
  bodySize: "large",
  withNul: TEXT_FIELDS,
  result: Message,
  example: {
    body: { model: "sandbox/echo", max_tokens: 50, messages: [{ role: "user", content: "Hello" }] },
  },
});

export const countMessageTokens = operation({
  tag: "Inference",
  access: "inference",
  method: "POST",
  status: 200,
  errors: [404],
  errorFormat: "messages",
  id: "countMessageTokens",
  path: "/messages/count_tokens",
  summary: "Count the tokens of a prompt, or estimate them if the model's tokenizer isn't public",
  query,
  body: CountTokensBody,
  bodySize: "large",
  withNul: TEXT_FIELDS,
  result: TokenCount,
  example: { body: { model: "sandbox/echo", messages: [{ role: "user", content: "Hello" }] } },
});
