import { z } from "zod";
import { operation, Uuid } from "../platform/http/operation";
import { ChatCompletion, ChatCompletionChunk } from "../engine/protocols/contracts/chat-result-contract";
import { GuardrailTrial } from "../records/guardrails/contract";
import { Key } from "../records/keys/contract";
import { ChatCompletionsBody } from "../engine/protocols/contracts/chat-request-contract";

export const PlaygroundBody = z.strictObject({
  key_hash: Key.shape.hash.meta({ description: "The inference key whose policy, limits and budgets apply" }),
  guardrail_id: Uuid.optional().meta({
    description:
      "A guardrail of the key's workspace that applies in addition, as if it were assigned to the key. Admins only",
  }),
  draft: GuardrailTrial.optional().meta({
    description:
      "An unsaved guardrail that applies in addition, or a stored one with changed fields. Its budget isn't applied. Admins only",
  }),
  request: ChatCompletionsBody,
});
export type PlaygroundBody = z.output<typeof PlaygroundBody>;

export const sendFromPlayground = operation({
  tag: "Playground",
  access: "session",
  id: "sendFromPlayground",
  method: "POST",
  path: "/playground/chat/completions",
  summary: "Create a chat completion under a key's policy and budget, from a console session",
  body: PlaygroundBody,
  bodySize: "large",
  inspected: true,
  status: 200,
  result: ChatCompletion,
  streams: ChatCompletionChunk,
  errors: [404, 503],
  example: {
    body: {
      key_hash: "3f4e0f0f5fdd2a5a16c1bbd6d1a3d2a52ab0a9a0ed7a4b1c8a4f6c0d3b8a1e27",
      request: { model: "sandbox/echo", messages: [{ role: "user", content: "Hello" }] },
    },
  },
});
