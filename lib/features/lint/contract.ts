import { z } from "zod";
import { operation } from "../../platform/http/operation";
import { GuardrailFields } from "../../engine/policy/contract";
import { GuardrailTrial } from "../../records/guardrails/contract";
import { LINT_SEVERITIES } from "./vocabulary";

export const LINT_CODES = [
  "active_exceptions",
  "allowed_and_ignored",
  "assigned_to_nothing",
  "budget_below_average_day",
  "check_address_not_allowed",
  "check_deadline_long",
  "check_without_secret",
  "builtin_duplicate",
  "data_region_without_endpoint",
  "duplicate_model",
  "duplicate_pattern",
  "empty_intersection",
  "empty_wildcard",
  "exception_without_effect",
  "interval_without_limit",
  "limit_without_interval",
  "no_endpoint",
  "only_observes",
  "pattern_matches_empty",
  "pattern_matches_everything",
  "preset_prompt_blocked",
  "preset_without_endpoint",
  "response_held_back",
  "shadowed_pattern",
  "unknown_model",
  "unknown_provider",
  "unknown_vendor",
  "unpriced_model",
  "zdr_without_endpoint",
] as const;

export const LintFinding = z
  .object({
    severity: z.enum(LINT_SEVERITIES).meta({
      description: "error: some or all requests are rejected; warning: probably unintended; info: for your information",
    }),
    code: z.enum(LINT_CODES),
    path: z
      .array(z.union([z.string(), z.number().int()]))
      .meta({ description: "The field; empty for the guardrail itself" }),
    message: z.string(),
    fix: z
      .object({ path: GuardrailFields.keyof(), value: z.unknown() })
      .optional()
      .meta({ description: "A new value for the whole field that resolves the finding" }),
  })
  .meta({ id: "LintFinding" });
export type LintFinding = z.output<typeof LintFinding>;

export const lintGuardrail = operation({
  tag: "Guardrails",
  access: "management",
  id: "lintGuardrail",
  permission: "guardrails:read",
  byWorkspace: true,
  method: "POST",
  path: "/guardrails/lint",
  summary:
    "Lint a guardrail or a draft: find contradictions, unreachable rules and rules without effect. Nothing is stored",
  body: z.strictObject({
    guardrail: GuardrailTrial.meta({
      description: "Fields of a draft, or the ID of a stored guardrail with changed fields",
    }),
  }),
  bodySize: "medium",
  inspected: true,
  status: 200,
  result: z.object({ data: z.array(LintFinding) }),
  errors: [404],
  example: {
    body: {
      guardrail: { allowed_models: ["sandbox/echo"], ignored_models: ["sandbox/echo"], reset_interval: "monthly" },
    },
  },
});
