import { z } from "zod";
import { FILTER_SCOPES } from "../filters/vocabulary";
import {
  CHECK_FORMATS,
  CHECK_TIMEOUT_MS,
  CHECK_VERDICTS,
  JUDGE_ACTIONS,
  JUDGE_DEFAULTS,
  MAX_CHECKS,
  SIGNING_SECRET,
} from "./vocabulary";

const isPlainUrl = (text: string) => {
  const url = URL.parse(text);
  return url !== null && !url.username && !url.password && !text.includes("#");
};

const timeout = (what: "check" | "judge", byDefault: number) =>
  z
    .number()
    .int()
    .min(CHECK_TIMEOUT_MS.min)
    .max(CHECK_TIMEOUT_MS.max)
    .optional()
    .meta({
      description: `Milliseconds until a ${what} without a verdict rejects the request or answer; default ${byDefault}`,
    });

/** Settings of an external check without its secret. */
const settings = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .meta({ description: "Shown in decisions and errors; unique in the guardrail" }),
  url: z
    .url({ protocol: /^https?$/, abort: true })
    .max(2000)
    .refine(isPlainUrl, "must not contain credentials or a fragment")
    .meta({ description: "Receives a POST request for each judged request or answer" }),
  format: z
    .enum(CHECK_FORMATS)
    .optional()
    .meta({ description: "Default signalbox; litellm: LiteLLM's generic guardrail API (docs/external-checks.md)" }),
  scope: z.enum(FILTER_SCOPES).optional().meta({
    description:
      "What is judged; default request. response, both: a streamed answer is held back until it has been judged",
  }),
  timeout_ms: timeout("check", CHECK_TIMEOUT_MS.default),
};

export const ExternalCheck = z.strictObject({
  ...settings,
  secret: z
    .string()
    .min(8)
    .max(4000)
    .regex(/^[\x21-\x7e]+$/, "must be visible ASCII characters")
    .nullish()
    .meta({
      description:
        "Write-only; left out, the stored secret remains. signalbox: the signing secret, whsec_ and base64; litellm: sent as bearer token and X-API-Key",
      writeOnly: true,
    }),
  has_secret: z.boolean().optional().meta({ description: "Read-only", readOnly: true }),
});
export type ExternalCheck = z.output<typeof ExternalCheck>;

/** A question about a request or response to one of the organization's models: docs/external-checks.md. */
export const Judge = z.strictObject({
  name: settings.name,
  model: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^[^@]*$/, "must be a model, not a preset")
    .meta({ description: "Slug of the model that judges" }),
  instructions: z.string().trim().min(1).max(10_000).meta({ description: "The rule that the model judges by" }),
  threshold: z
    .number()
    .min(0.01)
    .max(1)
    .optional()
    .meta({ description: `Lowest score that counts, from 0 to 1; default ${JUDGE_DEFAULTS.threshold}` }),
  action: z.enum(JUDGE_ACTIONS).meta({ description: "Taken when the score reaches the threshold" }),
  scope: settings.scope,
  timeout_ms: timeout("judge", JUDGE_DEFAULTS.timeout_ms),
});
export type Judge = z.output<typeof Judge>;

const hasUniqueNames = (judges: readonly Judge[] | null) =>
  !judges || new Set(judges.map(({ name }) => name)).size === judges.length;

export const Judges = z.array(Judge).max(MAX_CHECKS).nullable().refine(hasUniqueNames, "at most one entry per name");

/** Verdicts by the name of the check or judge, in place of calls. A plain verdict applies to requests and responses. */
const Verdict = z.enum(CHECK_VERDICTS);

export const CheckVerdicts = z.record(
  z.string().min(1).max(60),
  z.union([Verdict, z.strictObject({ request: Verdict.optional(), response: Verdict.optional() })]),
);
export type CheckVerdicts = z.output<typeof CheckVerdicts>;

/** An external check without its secret. */
export const ExternalCheckSettings = z.strictObject(settings);

/** Requires unique names, and secrets in the form that signatures need. */
export function refuseAmbiguousChecks(checks: readonly ExternalCheck[] | null, context: z.core.$RefinementCtx): void {
  for (const [index, { name, format, secret }] of (checks ?? []).entries()) {
    const add = (field: string, message: string) =>
      context.addIssue({ code: "custom", path: [index, field], message, input: checks });
    if (checks?.slice(0, index).some((other) => other.name === name)) add("name", "is the name of another check");
    if (format !== "litellm" && secret && !SIGNING_SECRET.test(secret))
      add("secret", "must be whsec_ and 24 to 64 bytes in base64");
  }
}

export const ExternalChecks = z.array(ExternalCheck).max(MAX_CHECKS).nullable().superRefine(refuseAmbiguousChecks);
