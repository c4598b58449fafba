import { z } from "zod";
import { requestFields } from "../engine/protocols/contracts/request-fields-contract";
import { ChatUsage } from "../engine/protocols/contracts/chat-result-contract";
import { operation } from "../platform/http/operation";
import { ChatCompletionsBody } from "./contract";

const { model, models, preset, provider, metadata, session_id, user, stream, service_tier } = requestFields;
const { temperature, top_p, top_k, frequency_penalty, presence_penalty } = requestFields;
const { max_tokens, n, stop, seed, logit_bias, min_p, repetition_penalty, stream_options } = ChatCompletionsBody.shape;
const shared = { model, models, preset, provider, metadata, session_id, user, stream, stream_options, service_tier };
const sampling = { temperature, top_p, top_k, min_p, frequency_penalty, presence_penalty, repetition_penalty };

/** Maximum number of prompts of one request; each is sent by itself. */
const MAX_PROMPTS = 32;

const text = z.string().min(1);
const tokens = z.array(z.number().int().min(0)).min(1);
const one = z.literal(1, { error: "must be 1" }).nullish();
const unsupported = z.null({ error: "isn't supported" }).optional();

/** The body of `POST /completions`: docs/semantics.md#completions-requests. Unknown fields are ignored. */
export const CompletionsBody = z.object({
  ...shared,
  ...sampling,
  max_tokens,
  stop,
  seed,
  logit_bias,
  n,
  prompt: z.union([text, z.array(text).min(1).max(MAX_PROMPTS), tokens, z.array(tokens).min(1).max(MAX_PROMPTS)]).meta({
    description: "A text or up to 32 texts; numbers are tokens of cl100k_base and sent as the text they spell",
  }),
  best_of: one,
  echo: z.literal(false, { error: "isn't supported" }).nullish(),
  suffix: unsupported,
  logprobs: unsupported,
});
export type CompletionsBody = z.output<typeof CompletionsBody>;

export const TextCompletion = z.looseObject({
  id: z.string(),
  object: z.literal("text_completion"),
  created: z.number().int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.number().int().min(0),
      text: z.string(),
      finish_reason: z.string().nullable(),
      logprobs: z.null(),
    }),
  ),
  usage: ChatUsage.optional(),
});
export type TextCompletion = z.output<typeof TextCompletion>;

export const createCompletion = operation({
  tag: "Inference",
  access: "inference",
  method: "POST",
  status: 200,
  errors: [404, 502, 503, 524, 529],
  id: "createCompletion",
  path: "/completions",
  summary: "Create a text completion, complete or streamed; each prompt is sent as a user message",
  body: CompletionsBody,
  bodySize: "large",
  result: TextCompletion,
  streams: TextCompletion,
  example: { body: { model: "sandbox/echo", prompt: "Hello", max_tokens: 50 } },
});
