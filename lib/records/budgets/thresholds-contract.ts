import { z } from "zod";
import { envelope, IdParams, operation } from "../../platform/http/operation";

const MOST_THRESHOLDS = 10;

/** Percentages of a limit; 100 is the limit itself. */
export const Percents = z
  .array(z.number().int().min(1).max(100))
  .max(MOST_THRESHOLDS)
  .refine((percents) => new Set(percents).size === percents.length, "must not contain duplicates");

/** Values of the thresholds form. */
export const ThresholdValues = z.object({ percents: Percents });

const GuardrailThresholds = z
  .object({
    percents: Percents.nullable().meta({ description: "null when the organization's thresholds apply" }),
    in_force: Percents.meta({ description: "The thresholds in effect: the guardrail's own, or the organization's" }),
  })
  .meta({ id: "GuardrailThresholds" });

const thresholds = {
  tag: "Budgets",
  access: "management",
  path: "/guardrails/{id}/thresholds",
  params: IdParams,
  status: 200,
  result: envelope(GuardrailThresholds),
} as const;

export const getGuardrailThresholds = operation({
  ...thresholds,
  id: "getGuardrailThresholds",
  permission: "budgets:read",
  byWorkspace: true,
  method: "GET",
  summary: "Get the budget alert thresholds of a guardrail",
});

export const updateGuardrailThresholds = operation({
  ...thresholds,
  id: "updateGuardrailThresholds",
  permission: "budgets:write",
  byWorkspace: true,
  method: "PATCH",
  summary: "Set the budget alert thresholds of a guardrail; null restores the organization's",
  body: z.strictObject({ percents: Percents.nullable() }),
  example: { body: { percents: [50, 90, 100] } },
});
