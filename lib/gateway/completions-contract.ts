import { z } from "zod";
import { requestFields } from "../engine/protocols/contracts/request-fields-contract";
import { TextCompletion } from "../engine/protocols/contracts/text-completion-contract";
import { operation } from "../platform/http/operation";
import { ChatCompletionsBody } from "../engine/protocols/contracts/chat-request-contract";
import { TEXT_FIELDS } from "./vocabulary";

const { model, models, preset, provider, metadata, session_id, user, stream, service_tier } = requestFields;
const { temperature, top_p, top_k, frequency_penalty, presence_penalty } = requestFields;
const { max_tokens, n, stop, seed, logit_bias, min_p, repetition_penalty, stream_options } = ChatCompletionsBody.shape;
const shared = { model, models, preset, provider, metadata, session_id, user, stream, stream_options, service_tier };
const sampling = { temperature, top_p, top_k, min_p, frequency_penalty, presence_penalty, repetition_penalty };

/** Maximum number of prompts in one request; each is sent separately. */
const MAX_PROMPTS = 32;
const MAX_CANDIDATES = 20;
/** Maximum number of alternatives of each token, as in OpenAI's API. */
const MAX_ALTERNATIVES = 5;

const text = z.string().min(1);
const tokens = z.array(z.number().int().min(0)).min(1);

/** The body of `POST /completions`: docs/semantics.md#completions-requests. Unknown fields are ignored. */
const Fields = z.object({
  ...shared,
  ...sampling,
  max_tokens,
  stop,
  seed,
  logit_bias,
  n,
  prompt: z.union([text, z.array(text).min(1).max(MAX_PROMPTS), tokens, z.array(tokens).min(1).max(MAX_PROMPTS)]).meta({
    description: "A text or up to 32 texts; token numbers are decoded as cl100k_base",
  }),
  best_of: z.number().int().min(1).max(MAX_CANDIDATES).nullish().meta({
    description: "Number of candidates, of which the `n` with the highest mean log probability per token are returned",
  }),
  echo: z.boolean().nullish().meta({ description: "Whether each completion begins with its prompt" }),
  suffix: z
    .null({
      error: "isn't supported: the prompt is sent as a user message, and chat models take no text after the answer",
    })
    .optional(),
  logprobs: z.number().int().min(0).max(MAX_ALTERNATIVES).nullish().meta({
    description: "Returns the log probability of each token, and of this many alternatives",
  }),
});

export const CompletionsBody = Fields.superRefine(({ n, best_of, echo, logprobs, stream }, context) => {
  const issue = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
  const choices = n ?? 1;
  const candidates = best_of ?? choices;
  if (candidates < choices) issue("best_of", "must be at least n");
  if (candidates > choices && stream)
    issue("best_of", "must equal n in a stream: the best candidate is known at the end");
  if (echo && typeof logprobs === "number")
    issue("logprobs", "can't be combined with echo: chat models report no log probabilities of a prompt");
});
export type CompletionsBody = z.output<typeof CompletionsBody>;

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
  withNul: TEXT_FIELDS,
  result: TextCompletion,
  streams: TextCompletion,
  example: { body: { model: "sandbox/echo", prompt: "Hello", max_tokens: 50 } },
});
