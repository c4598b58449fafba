import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import type { FilterRule } from "../content-filters/filter-rule";
import type { FilterFinding } from "../content-filters/findings";
import type { Layer } from "../policy/layers";
import type { Verdict } from "./decide";
import { ProviderPreferences } from "./provider-preferences-contract";

/** A guardrail that was in force, by the revision that keeps its fields, with the ids of the exceptions that held. */
const RecordedLayer = z.looseObject({
  scope: z.enum(["workspace", "member", "key"]),
  guardrail_id: z.string(),
  revision: z.number().int(),
  exceptions: z.array(z.string()).optional(),
});
type RecordedLayer = z.output<typeof RecordedLayer>;

/** A rule that found something, see `ruleIdentity`; with the exception that lifted it, or whose phrase it lay in. */
const RecordedMatch = z.looseObject({ rule: z.string(), lifted: z.string().optional(), phrase: z.string().optional() });

/** What a generation was decided by, without a word of its content: with the revisions and snapshots it names, it can be decided again. */
export const PolicyFacts = z.looseObject({
  layers: z.array(RecordedLayer),
  zdr_vendors: z.tuple([z.string(), z.string(), z.string()]),
  models: z.array(z.string()).min(1),
  preferences: ProviderPreferences,
  parameters: z.array(z.string()),
  route: z.enum(["fallback", "sort"]).nullish(),
  /** Random numbers, in [0, 1), that put the endpoints in order. */
  draws: z.array(z.number()),
  /** Hashes of the snapshots of the models' endpoints. */
  catalogue: z.array(z.string()),
  /** What was found, in the order of its decisions; null when the content was not scanned to its end. */
  matched: z.array(RecordedMatch).nullable(),
});
export type PolicyFacts = z.output<typeof PolicyFacts>;

/** Which filter it is, whoever asks for it: a detector, and whether it reads the user's messages alone. */
export function ruleIdentity({ detector, userOnly }: Pick<FilterRule, "detector" | "userOnly">): string {
  const name =
    detector.kind === "builtin"
      ? detector.slug
      : `pattern:${createHash("sha256").update(detector.pattern).digest("base64url").slice(0, 22)}`;
  return userOnly ? `user_only:${name}` : name;
}

const toRecorded = ({ scope, guardrail: { id, revision }, exceptions = [] }: Layer): RecordedLayer[] =>
  scope === "draft" || id === null || revision === null
    ? []
    : [
        {
          scope,
          guardrail_id: id,
          revision,
          ...(exceptions.length > 0 && { exceptions: exceptions.map((exception) => exception.id) }),
        },
      ];

const toMatch = ({ rule, exception }: FilterFinding): z.output<typeof RecordedMatch> => ({
  rule: ruleIdentity(rule),
  ...(rule.lifted && { lifted: rule.lifted.id }),
  ...(exception?.kind === "allow_phrase" && { phrase: exception.id }),
});

/** The facts of a verdict, with the hashes under which its endpoints are kept. */
export function policyFacts(
  { layers, wishes, draws, findings, denial }: Verdict,
  zdrVendors: Readonly<PolicyFacts["zdr_vendors"]>,
  catalogue: string[],
): PolicyFacts {
  const { models, preferences, parameters, route } = wishes;
  return {
    layers: layers.flatMap(toRecorded),
    zdr_vendors: [...zdrVendors],
    models: [...models],
    preferences,
    parameters: [...parameters],
    ...(route && { route }),
    draws: [...draws],
    catalogue,
    matched: denial?.kind === "unscanned" ? null : findings.map(toMatch),
  };
}
