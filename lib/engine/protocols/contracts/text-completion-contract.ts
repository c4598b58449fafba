import { z } from "zod";
import { ChatUsage } from "./chat-result-contract";

const Logprobs = z.object({
  tokens: z.array(z.string()),
  token_logprobs: z.array(z.number().nullable()),
  top_logprobs: z.array(z.record(z.string(), z.number())).nullable(),
  text_offset: z.array(z.number().int()),
});

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
      logprobs: Logprobs.nullable(),
    }),
  ),
  usage: ChatUsage.optional(),
});
export type TextCompletion = z.output<typeof TextCompletion>;
