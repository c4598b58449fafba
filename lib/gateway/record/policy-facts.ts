import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import { defaultScanScope, PROMPT_INJECTION_BUILTIN, SCAN_SCOPES } from "../../engine/filters/vocabulary";
import type { FilterRule } from "../../engine/filters/filter-rule";
import { detectorName } from "../../engine/policy/detector-name";
import type { CheckResult } from "../../engine/checks/check-result";
import type { FilterFinding } from "../../engine/filters/findings";
import type { Layer } from "../../engine/policy/layers";
import { hidesContent } from "../../engine/decision/denial";
import { Workload } from "../../records/generations/contract";
import type { Verdict } from "../decide-service";
import { ProviderPreferences } from "../../engine/protocols/contracts/provider-preferences-contract";

/** A guardrail in force: the revision with its fields, and the ids of active exceptions. */
const RecordedLayer = z.looseObject({
  scope: z.enum(["workspace", "member", "key"]),
  guardrail_id: z.string(),
  revision: z.number().int(),
  exceptions: z.array(z.string()).optional(),
  regions: z.array(z.string()).optional().meta({ description: "Regions of the workspace at the time" }),
  judge: z.boolean().optional().meta({ description: "Whether the request was a judge's own" }),
});
type RecordedLayer = z.output<typeof RecordedLayer>;

/**
 * A matching rule, see `ruleIdentity`, the exception that lifted it or allowed the matched phrase, and whether the
 * match couldn't be redacted.
 */
const RecordedMatch = z.looseObject({
  rule: z.string(),
  lifted: z.string().optional(),
  phrase: z.string().optional(),
  fixed: z.literal(true).optional(),
});

/** The verdict of an external check, see `checkIdentity`, so that re-evaluation needs no call. */
const RecordedCheck = z.looseObject({
  check: z.string(),
  verdict: z.enum(["allow", "block", "redact", "flag", "skip", "unavailable"]),
  reason: z.string().optional(),
});

/**
 * Inputs of a generation's policy decision without any content. Together with the referenced revisions and snapshots,
 * they are enough to re-evaluate it.
 */
export const PolicyFacts = z.looseObject({
  layers: z.array(RecordedLayer),
  zdr_vendors: z.tuple([z.string(), z.string(), z.string()]),
  models: z.array(z.string()).min(1),
  preferences: ProviderPreferences,
  parameters: z.array(z.string()),
  route: z.enum(["fallback", "sort"]).nullish(),
  /** Fields that endpoints of other protocols couldn't receive, by endpoint id. */
  unconvertible: z.record(z.string(), z.array(z.string())).optional(),
  /** True when the upstream was asked to store its response. */
  stored: z.boolean().optional(),
  /** Settings that decided about models without a known price; absent when each had one. */
  unpriced: z
    .object({
      allowed: z.boolean(),
      key_limit: z.enum(["none", "platform", "all"]),
      limits: z
        .array(
          z.object({
            scope: z.enum(["organization", "workspace"]),
            spend: z.enum(["platform", "all"]),
            subject: z.enum(["model", "provider"]).optional(),
            subject_id: z.string().optional(),
          }),
        )
        .readonly()
        .optional(),
    })
    .optional(),
  /** Names of fields that Signalbox doesn't know. */
  unknown_fields: z.array(z.string()).optional(),
  /** True when NUL in texts of the request or the response was replaced in the stored content. */
  replaced_characters: z.literal(true).optional(),
  /** Tools that weren't sent to the endpoint. */
  left_out_tools: z.array(z.string()).optional(),
  /** The workload that sent the request with an exchanged key. */
  workload: Workload.optional(),
  /** True when an unsaved guardrail applied as well. The draft isn't stored. */
  draft: z.boolean().optional(),
  /** Scan scope of prompt injection filters that set none; missing in records from when it was `all_messages`. */
  default_scan_scope: z.enum(SCAN_SCOPES).optional(),
  /** Random numbers in [0, 1) used to order the endpoints. */
  draws: z.array(z.number()),
  /** Hashes of the models' endpoint snapshots. */
  catalogue: z.array(z.string()),
  /** Matches in the order of their decisions; null when the scan didn't finish. */
  matched: z.array(RecordedMatch).nullable(),
  /** Matches in the response, in the order of their decisions; absent without a match. */
  answer_matched: z.array(RecordedMatch).optional(),
  /** External checks that were called; missing when there was none. */
  checks: z.array(RecordedCheck).optional(),
  /** External checks that were called with the response. */
  answer_checks: z.array(RecordedCheck).optional(),
});
export type PolicyFacts = z.output<typeof PolicyFacts>;

/**
 * Identifies a filter independently of its guardrail: a detector with its regions, and its scan scope if that isn't
 * `all_messages`.
 */
export function ruleIdentity({ detector, scanScope }: Pick<FilterRule, "detector" | "scanScope">): string {
  const name =
    detector.kind === "builtin"
      ? detectorName(detector)
      : `pattern:${createHash("sha256").update(detector.pattern).digest("base64url").slice(0, 22)}`;
  return scanScope === "all_messages" ? name : `${scanScope}:${name}`;
}

const hasDefaultScope = ({ guardrail }: Layer): boolean =>
  guardrail.content_filter_builtins?.some(
    ({ slug, scan_scope }) => slug === PROMPT_INJECTION_BUILTIN && scan_scope === undefined,
  ) === true;

const toRecorded = ({
  scope,
  guardrail: { id, revision },
  exceptions = [],
  regions = [],
  isForJudge,
}: Layer): RecordedLayer[] =>
  scope === "draft" || id === null || revision === null
    ? []
    : [
        {
          scope,
          guardrail_id: id,
          revision,
          ...(isForJudge && { judge: true }),
          ...(regions.length > 0 && { regions: [...regions] }),
          ...(exceptions.length > 0 && { exceptions: exceptions.map((exception) => exception.id) }),
        },
      ];

const toMatch = ({ rule, exception, isFixed }: FilterFinding): z.output<typeof RecordedMatch> => ({
  rule: ruleIdentity(rule),
  ...(rule.lifted && { lifted: rule.lifted.id }),
  ...(exception?.kind === "allow_phrase" && { phrase: exception.id }),
  ...(isFixed && { fixed: isFixed }),
});

/** A judge whose request was denied by budgets wasn't called. */
const toRecordedCheck = ({ identity, verdict, reason }: CheckResult): z.output<typeof RecordedCheck>[] =>
  verdict === "unaffordable" ? [] : [{ check: identity, verdict, ...(reason !== null && { reason }) }];

/** Maximum number of names, and their maximum length, because callers choose them. */
const MOST_NAMES = 50;
const MOST_CHARACTERS = 100;
const named = (names: readonly string[]): string[] =>
  names.slice(0, MOST_NAMES).map((name) => name.slice(0, MOST_CHARACTERS));

/** Builds the facts of a verdict, with the hashes of its endpoint snapshots. */
export function policyFacts(
  { layers, routing, draws, findings, checks, denial, unpriced, unknown, hasNul }: Verdict,
  zdrVendors: Readonly<PolicyFacts["zdr_vendors"]>,
  catalogue: string[],
  answer: {
    findings: readonly FilterFinding[];
    checks: readonly CheckResult[];
    leftOut: readonly string[];
    hasNul: boolean;
  },
): PolicyFacts {
  const { models, preferences, parameters, route, unconvertible, isStored } = routing;
  return {
    layers: layers.flatMap(toRecorded),
    zdr_vendors: [...zdrVendors],
    models: [...models],
    preferences,
    parameters: [...parameters],
    ...(route && { route }),
    ...(isStored && { stored: true }),
    ...(layers.some(({ scope }) => scope === "draft") && { draft: true }),
    ...(layers.some(hasDefaultScope) && { default_scan_scope: defaultScanScope(PROMPT_INJECTION_BUILTIN) }),
    ...(unconvertible && { unconvertible: unconvertible as Record<string, string[]> }),
    ...(unpriced && { unpriced }),
    ...(unknown.length > 0 && !hidesContent(denial) && { unknown_fields: named(unknown) }),
    ...((hasNul || answer.hasNul) && { replaced_characters: true as const }),
    ...(answer.leftOut.length > 0 && { left_out_tools: named(answer.leftOut) }),
    draws: [...draws],
    catalogue,
    matched: denial?.kind === "unscanned" ? null : findings.map(toMatch),
    ...(answer.findings.length > 0 && { answer_matched: answer.findings.map(toMatch) }),
    ...(checks.length > 0 && { checks: checks.flatMap(toRecordedCheck) }),
    ...(answer.checks.length > 0 && { answer_checks: answer.checks.flatMap(toRecordedCheck) }),
  };
}
