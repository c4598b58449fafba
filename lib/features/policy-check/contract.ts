import { z } from "zod";
import { Decision } from "../../engine/decision/contract";
import { PROTOCOLS } from "../../engine/protocols/vocabulary";
import { Exception } from "../../records/exceptions/contract";
import { CheckVerdicts } from "../../engine/checks/contract";
import { EffectiveFields, GuardrailFields, Source } from "../../engine/policy/contract";
import { GuardrailTrial } from "../../records/guardrails/contract";
import { envelope, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { CreateModelBody } from "../../records/models/contract";
import { CreateProviderBody } from "../../records/providers/contract";
import { CreateWorkspaceBody } from "../../records/workspaces/contract";

export const MAX_DRAFTS = 10;
/** Maximum number of planned providers and of planned models. */
const MAX_PLANNED = 1000;
/** Maximum number of characters in a response. */
const MAX_ANSWER = 1_000_000;

/** The subject of a policy: a key, or a member in a workspace. */
const subject = {
  key_hash: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: "An inference key; the guardrail of its creator applies too" }),
  user_id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: "A member; with key_hash, evaluates the key as if created by this member" }),
  workspace_id: Uuid.optional().meta({ description: "For user_id, or alone; defaults to the default workspace" }),
};

const provider = CreateProviderBody.shape;

export const PlannedState = z
  .strictObject({
    providers: z
      .array(
        z.strictObject({
          slug: provider.slug,
          protocol: provider.protocol.unwrap(),
          zdr: provider.zdr.unwrap(),
          trains: provider.trains.unwrap(),
          ownership: provider.ownership.unwrap(),
        }),
      )
      .max(MAX_PLANNED)
      .optional(),
    models: z.array(CreateModelBody).max(MAX_PLANNED).optional(),
    regions: CreateWorkspaceBody.shape.regions.meta({ description: "Regions of the workspace" }),
  })
  .meta({ id: "PlannedState" });
export type PlannedState = z.output<typeof PlannedState>;

export const CheckPolicyBody = z.strictObject({
  request: z.record(z.string(), z.unknown()).meta({ description: "The body of an inference request" }),
  protocol: z.enum(PROTOCOLS).default("responses"),
  ...subject,
  guardrails: z.array(GuardrailTrial).max(MAX_DRAFTS).optional().meta({
    description:
      "Guardrails to evaluate in addition to those in force: draft fields, or the ID of a stored one, with changed fields if any",
  }),
  check_verdicts: CheckVerdicts.optional().meta({
    description:
      "Verdicts of external checks by name, in place of calls, for requests and answers or for each; a check that isn't named allows",
  }),
  answer: z.string().max(MAX_ANSWER).optional().meta({
    description: "The content of a model's answer, to evaluate by the filters and checks that apply to answers",
  }),
  planned: PlannedState.optional().meta({
    description: "State that a change would bring about: providers and models replace stored ones of the same slug",
  }),
  drafts_only: z.boolean().optional().meta({ description: "Set to true to evaluate only the given guardrails" }),
});
export type CheckPolicyBody = z.output<typeof CheckPolicyBody>;

export const PolicyCheck = z
  .object({
    outcome: z.enum(["allowed", "redacted", "flagged", "blocked", "no_endpoint", "budget_exhausted"]),
    message: z.string().nullable().meta({
      description: "The error message the caller would get; null when neither the request nor the answer is refused",
    }),
    decisions: z.array(Decision),
    candidates: z
      .array(
        z.object({
          model: z.string(),
          provider: z.string(),
          included: z.boolean(),
          excluded_by: z.array(
            z.object({ scope: Source.shape.scope, guardrail_id: Uuid.nullable(), field: z.string() }),
          ),
        }),
      )
      .meta({
        description:
          "All endpoints of the requested models: available ones in the order they would be tried, then excluded ones",
      }),
    request: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: "The request body for the first candidate; null when nothing would be sent" }),
    answer: z.string().nullable().optional().meta({
      description:
        "The given answer as the caller would get it; null when it or the request is refused, missing when none was given",
    }),
  })
  .meta({ id: "PolicyCheck" });
export type PolicyCheck = z.output<typeof PolicyCheck>;

export const EffectiveBudget = z.object({
  ...Source.shape,
  counted_per: z.enum(["key", "member"]),
  limit_usd: z.number().meta({ description: "Includes raises by exceptions" }),
  raised_usd: z.number().meta({ description: "The part of limit_usd granted by exceptions" }),
  reset_interval: GuardrailFields.shape.reset_interval,
  include_byok_in_budgets: z.boolean(),
  spent_usd: z.number().meta({ description: "USD spent since window_start" }),
  reserved_usd: z.number().meta({ description: "USD reserved by running requests" }),
  remaining_usd: z.number().min(0),
  observed: z.boolean().meta({ description: "Whether the guardrail only observes, so that the limit refuses nothing" }),
  window_start: Timestamp.nullable().meta({ description: "null when the limit never resets" }),
  resets_at: Timestamp.nullable(),
});
export type EffectiveBudget = z.output<typeof EffectiveBudget>;

export const EffectivePolicy = z
  .object({
    workspace_id: Uuid,
    key_hash: z.string().nullable(),
    user_id: z.string().nullable(),
    layers: z.array(Source.extend({ mode: GuardrailFields.shape.mode })).meta({
      description:
        "Broadest first; all layers that are enforced apply together. Those that observe aren't in the fields",
    }),
    exceptions: z.array(Exception).meta({ description: "Active exceptions; what they lift is left out of the fields" }),
    fields: EffectiveFields.extend({
      limit_usd: z.array(EffectiveBudget).meta({ description: "Each budget is checked separately" }),
    }),
  })
  .meta({ id: "EffectivePolicy" });
export type EffectivePolicy = z.output<typeof EffectivePolicy>;

const management = {
  tag: "Policy",
  access: "management",
  status: 200,
  errors: [404],
} as const;

export const checkPolicy = operation({
  ...management,
  id: "checkPolicy",
  permission: "guardrails:read",
  byWorkspace: true,
  method: "POST",
  path: "/policy/check",
  summary: "Check a request against the policy without sending, charging or recording it",
  body: CheckPolicyBody,
  bodySize: "large",
  inspected: true,
  result: envelope(PolicyCheck),
  example: {
    body: {
      request: { model: "sandbox/echo", input: "Write to ada@example.com" },
      guardrails: [{ content_filter_builtins: [{ slug: "email", action: "redact" }] }],
    },
  },
});

export const getEffectivePolicy = operation({
  ...management,
  id: "getEffectivePolicy",
  permission: "guardrails:read",
  byWorkspace: true,
  method: "GET",
  path: "/policy/effective",
  summary: "Get the effective policy of a key or member, with the guardrails that set each part",
  query: z.object(subject),
  result: envelope(EffectivePolicy),
});
