import { z } from "zod";
import { DIRECTIONS, type Direction } from "../filters/vocabulary";

/** Version of Signalbox's own contract with external checks: docs/external-checks.md. */
export const CHECK_VERSION = 1;

const Path = z.array(z.union([z.string(), z.number()]));

/** Body that a check of the format `signalbox` receives. */
export const CheckRequest = z.object({
  version: z.literal(CHECK_VERSION),
  id: z.string().meta({ description: "Equal to the webhook-id header" }),
  check: z.string().meta({ description: "Name of the check" }),
  type: z.enum(DIRECTIONS).meta({ description: "What `texts` are of" }),
  dry_run: z.boolean().meta({ description: "Whether a policy check calls, so that nothing is sent to a model" }),
  generation_id: z.string().nullable(),
  organization_id: z.string(),
  workspace_id: z.string(),
  key_id: z.string().nullable(),
  user_id: z.string().nullable(),
  protocol: z.enum(["responses", "chat_completions", "messages"]),
  models: z.array(z.string()).meta({ description: "The requested models; for an answer, the model that gave it" }),
  texts: z.array(
    z.object({
      path: Path.meta({ description: "Place in the caller's body, or in the upstream's answer" }),
      text: z.string(),
      is_user: z.boolean().meta({ description: "Whether it belongs to a message of role user" }),
    }),
  ),
});
export type CheckRequest = z.output<typeof CheckRequest>;

/** Answer of a check of the format `signalbox`. */
export const CheckResponse = z.discriminatedUnion("action", [
  z.object({ action: z.literal("allow") }),
  z.object({ action: z.literal("block"), reason: z.string().optional() }),
  z.object({
    action: z.literal("redact"),
    reason: z.string().optional(),
    texts: z
      .array(z.object({ index: z.number().int().min(0), text: z.string() }))
      .min(1)
      .meta({ description: "Replacements; the other texts stay as they are" }),
  }),
]);

/** Body of LiteLLM's generic guardrail API, as far as Signalbox has values for it. */
export interface LiteLlmRequest {
  input_type: Direction;
  texts: string[];
  request_data: Readonly<Record<string, string | null>>;
  litellm_call_id: string | null;
  litellm_trace_id: null;
  additional_provider_specific_params: Readonly<Record<string, never>>;
}

/** Answer of LiteLLM's generic guardrail API. */
export const LiteLlmResponse = z.object({
  action: z.enum(["NONE", "BLOCKED", "GUARDRAIL_INTERVENED"]),
  blocked_reason: z.string().nullish(),
  texts: z.array(z.string()).nullish(),
});
