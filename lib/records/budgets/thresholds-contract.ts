import { z } from "zod";
import { envelope, IdParams, operation } from "../../platform/http/operation";

const MOST_THRESHOLDS = 10;

/** Percents of a limit; 100 is the limit itself. */
export const Percents = z
  .array(z.number().int().min(1).max(100))
  .max(MOST_THRESHOLDS)
  .refine((percents) => new Set(percents).size === percents.length, "names a percent twice");

/** What a form of thresholds holds. */
export const ThresholdValues = z.object({ percents: Percents });

const GuardrailThresholds = z
  .object({
    percents: Percents.nullable().meta({ description: "null: those of the organization" }),
    in_force: Percents.meta({ description: "What is told: its own, or the organization's" }),
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
  method: "GET",
  summary: "Get the percents of a guardrail's limit whose reaching is told",
});

export const updateGuardrailThresholds = operation({
  ...thresholds,
  id: "updateGuardrailThresholds",
  method: "PATCH",
  summary: "Give a guardrail thresholds of its own, or with null the organization's",
  body: z.strictObject({ percents: Percents.nullable() }),
  example: { body: { percents: [50, 90, 100] } },
});
