import { z } from "zod";
import { operation } from "../platform/http/operation";
import { TEXT_FIELDS } from "./vocabulary";

/** Maximum number of inputs in one request; a judge is called for each. */
const MAX_INPUTS = 32;

const text = z.string().min(1);
const part = z.object({ type: z.literal("text", { error: "must be text: images can't be scanned" }), text });

/** The body of `POST /moderations`: docs/semantics.md#moderation-requests. */
export const ModerationsBody = z.object({
  input: z.union([text, z.array(text).min(1).max(MAX_INPUTS), z.array(part).min(1).max(MAX_INPUTS)]).meta({
    description: "A text or up to 32 texts",
  }),
  model: z.string().optional().meta({ description: "Accepted for clients that send one; has no effect" }),
});

const byCategory = <Value extends z.ZodType>(value: Value, description: string) =>
  z.record(z.string(), value).meta({ description });

export const createModeration = operation({
  tag: "Inference",
  access: "inference",
  method: "POST",
  status: 200,
  errors: [503],
  id: "createModeration",
  path: "/moderations",
  summary: "Check texts by content filters, external checks and judges",
  body: ModerationsBody,
  bodySize: "large",
  withNul: TEXT_FIELDS,
  result: z.object({
    id: z.string(),
    model: z.literal("signalbox"),
    results: z.array(
      z.object({
        flagged: z.boolean().meta({ description: "Whether any category applies" }),
        categories: byCategory(
          z.boolean(),
          "By slug of a content filter, by `custom` for patterns and by name of a check or judge of the key's guardrails",
        ),
        category_scores: byCategory(z.number(), "1 for categories that apply, else 0"),
        category_applied_input_types: byCategory(z.array(z.literal("text")), "Always text"),
      }),
    ),
  }),
  example: { body: { input: "My e-mail address is ann@example.com" } },
});
