import { z } from "zod";
import { Timestamp, Uuid } from "../../platform/http/operation";
import { DIRECTIONS } from "../filters/vocabulary";

const DecisionException = z
  .object({
    id: Uuid,
    reason: z.string(),
    expires_at: Timestamp,
    would: z.enum(["block", "redact", "flag", "exclude"]).meta({ description: "The action without the exception" }),
  })
  .meta({ id: "DecisionException" });
export type DecisionException = z.output<typeof DecisionException>;

/** A decision of a guardrail's rule, or of the request itself. `spans` never contain the matched text. */
export const Decision = z.object({
  scope: z.enum(["workspace", "member", "key", "request", "draft", "organization"]).meta({
    description:
      "draft: of an unsaved guardrail, in a policy check or a playground request; organization: of a limit for all workspaces",
  }),
  guardrail_id: Uuid.nullable(),
  guardrail_name: z.string().nullable(),
  revision: z.number().int().nullable(),
  field: z.string(),
  rule: z.string().nullable(),
  action: z.string(),
  spans: z.array(
    z.object({ path: z.array(z.union([z.string(), z.number()])), start: z.number().int(), end: z.number().int() }),
  ),
  reason: z.string().optional().meta({ description: "The reason that an external check gave" }),
  exception: DecisionException.optional().meta({
    description: "For action `allow`: the exception that permitted it",
  }),
  direction: z.enum(DIRECTIONS).optional().meta({
    description: "response: applied to the answer; `path` is then the place in the upstream's answer",
    default: "request",
  }),
  withheld: z
    .number()
    .int()
    .min(0)
    .optional()
    .meta({ description: "For a blocked answer: the number of characters received but not sent" }),
});
export type Decision = z.output<typeof Decision>;
