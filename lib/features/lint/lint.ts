import type { Exception } from "../../records/exceptions/contract";
import type { Layer } from "../../engine/policy/layers";
import { refusalsOf } from "../../engine/policy/routing";
import { unpricedRefusals, type PricedEndpoint } from "../../engine/policy/unpriced-models";
import type { LintFinding } from "./contract";
import { lintChecks } from "./external-checks";
import { lintDuplicates, type Duplicate } from "./duplicates";
import { lintExceptions } from "./exceptions";
import { lintHeldAnswers, lintPatterns } from "./patterns";
import { expandModels, isWildcard, modelWildcards, providerWildcard } from "../../engine/policy/vocabulary";
import { ZDR_FIELDS } from "../../engine/policy/zdr";
import { namesText, plural } from "./text";
import { lintVendors, type LintEndpoint } from "./vendors";

/** Another guardrail that applies together with the linted one. */
export interface Companion {
  layer: Layer;
  /** Completes “Together with “Strict”, the default of the workspace”. */
  role: string;
}

export interface LintFacts {
  guardrail: Layer["guardrail"];
  endpoints: readonly (LintEndpoint & PricedEndpoint)[];
  /** Slugs and canonical slugs of the catalogue. */
  models: readonly { slug: string; canonicalSlug: string }[];
  duplicates: readonly Duplicate[];
  providers: readonly string[];
  companions: readonly Companion[];
  /** Null for an unsaved guardrail. */
  assigned: { keys: number; members: number; isDefault: boolean } | null;
  /** The assigned key or member with the highest spend, in USD on an average day; null without spend. */
  busiest: { name: string; usdPerDay: number } | null;
  zdrVendors: readonly [string, string, string];
  /** True when the workspace allows models without a known price under spending limits. */
  allowsUnpriced: boolean;
  /** Active exceptions to the guardrail. */
  exceptions: readonly Exception[];
  /** Findings for presets that the guardrail breaks. */
  presets: readonly LintFinding[];
  /** True when this installation calls private addresses. */
  allowPrivate: boolean;
}

type ListField = "allowed_models" | "allowed_providers" | "ignored_models" | "ignored_providers";
type Identity = (name: string) => string;

/** Maps a model's slug and canonical slug to one name. */
function modelIdentity({ models }: LintFacts): Identity {
  const canonical = new Map(models.map(({ slug, canonicalSlug }) => [slug.toLowerCase(), canonicalSlug.toLowerCase()]));
  return (name) => canonical.get(name.toLowerCase()) ?? name.toLowerCase();
}
const providerIdentity: Identity = (name) => name.toLowerCase();

/**
 * Returns a fix that removes names from a list. Returns none when the list would become empty and thus unrestricted.
 */
function shorter(facts: LintFacts, path: ListField, gone: readonly string[]): Pick<LintFinding, "fix"> {
  const before = facts.guardrail[path] ?? [];
  const value = before.filter((name) => !gone.includes(name));
  // Names that only a wildcard covers can't be removed from the list.
  if (value.length === before.length) return {};
  return value.length > 0 || path.startsWith("ignored") ? { fix: { path, value } } : {};
}

function allowedAndIgnored(facts: LintFacts, noun: "model" | "provider", identity: Identity): LintFinding[] {
  const [allowed, ignored] = [`allowed_${noun}s`, `ignored_${noun}s`] as const;
  const refused = new Set(facts.guardrail[ignored]?.map(identity));
  const both = (facts.guardrail[allowed] ?? []).filter((name) => refused.has(identity(name)));
  if (both.length === 0) return [];
  const isAll = both.length === facts.guardrail[allowed]?.length;
  const kept = both.map(identity);
  const unignored = (facts.guardrail[ignored] ?? []).filter((name) => kept.includes(identity(name)));
  const message = `${plural(both, noun)} both allowed and blocked (blocking takes precedence): ${namesText(both)}.${isAll ? " No others are allowed." : ""}`;
  return [
    {
      severity: isAll ? "error" : "warning",
      code: "allowed_and_ignored",
      path: [allowed],
      message,
      ...(isAll ? shorter(facts, ignored, unignored) : shorter(facts, allowed, both)),
    },
  ];
}

function unknown(
  facts: LintFacts,
  path: ListField,
  noun: "model" | "provider",
  known: ReadonlySet<string>,
): LintFinding[] {
  const missing = (facts.guardrail[path] ?? []).filter((name) => !known.has(name.toLowerCase()));
  const names = missing.filter((name) => !isWildcard(name));
  const wildcards = missing.filter(isWildcard);
  return [
    ...(names.length === 0
      ? []
      : [
          {
            severity: "warning" as const,
            code: `unknown_${noun}` as const,
            path: [path],
            message: `${plural(names, noun)} not in the catalogue: ${namesText(names)}.`,
            ...shorter(facts, path, missing),
          },
        ]),
    ...(wildcards.length === 0
      ? []
      : [
          {
            severity: "warning" as const,
            code: "empty_wildcard" as const,
            path: [path],
            message: `${plural(wildcards, "wildcard")} without a ${noun} in the catalogue: ${namesText(wildcards)}.`,
            ...shorter(facts, path, missing),
          },
        ]),
  ];
}

function unknowns(facts: LintFacts): LintFinding[] {
  const models = new Set(
    [
      ...facts.models.flatMap(({ slug, canonicalSlug }) => [slug, canonicalSlug]),
      ...facts.endpoints.flatMap(({ model, provider }) => modelWildcards({ ...model, providers: [provider.slug] })),
    ].map((name) => name.toLowerCase()),
  );
  const providers = new Set(facts.providers.flatMap((name) => [name, providerWildcard(name)]).map(providerIdentity));
  return [
    ...unknown(facts, "allowed_models", "model", models),
    ...unknown(facts, "ignored_models", "model", models),
    ...unknown(facts, "allowed_providers", "provider", providers),
    ...unknown(facts, "ignored_providers", "provider", providers),
    ...(facts.guardrail.judges ?? []).flatMap(({ name, model }, index): LintFinding[] =>
      models.has(model.toLowerCase())
        ? []
        : [
            {
              severity: "error",
              code: "unknown_model",
              path: ["judges", index, "model"],
              message: `The judge “${name}” names a model that isn't in the catalogue (${model}): every request would be rejected.`,
            },
          ],
    ),
  ];
}

/** Findings about models without an available endpoint, and the rules that cause them. */
const LOSSES = [
  { code: "data_region_without_endpoint", cause: "The allowed data regions leave", fields: ["allowed_data_regions"] },
  { code: "zdr_without_endpoint", cause: "Zero data retention leaves", fields: ZDR_FIELDS },
] as const;
type Loss = (typeof LOSSES)[number];

/** Returns the loss that an endpoint's refusals cause; undefined if a list of models or providers excludes it. */
const lossOf = (refusals: readonly string[]): Loss | undefined => {
  const isOf = ({ fields }: Loss, field: string) => (fields as readonly string[]).includes(field);
  return refusals.every((field) => LOSSES.some((loss) => isOf(loss, field)))
    ? LOSSES.find((loss) => refusals.some((field) => isOf(loss, field)))
    : undefined;
};

/**
 * Finds endpoints of the catalogue that the guardrail allows, and allowed models lost only because of data regions or
 * zero data retention.
 */
function reachable(facts: LintFacts, identity: Identity): LintFinding[] {
  const layer: Layer = { scope: "draft", guardrail: facts.guardrail };
  const refused = facts.endpoints.map((endpoint) => ({
    model: identity(endpoint.model.slug),
    fields: refusalsOf([layer], endpoint, facts.zdrVendors).map(({ field }) => field),
  }));
  const left = new Set(refused.flatMap(({ model, fields }) => (fields.length === 0 ? [model] : [])));
  const lost = refused.flatMap(({ model, fields }) => {
    const loss = lossOf(fields);
    return loss && !left.has(model) ? [{ model, loss, field: fields[0] ?? "" }] : [];
  });
  if (refused.length > 0 && left.size === 0 && lost.length === 0) {
    const fields = refused.flatMap(({ fields }) => fields);
    const most = fields.toSorted(
      (a, b) => fields.filter((field) => field === b).length - fields.filter((field) => field === a).length,
    )[0];
    return [
      {
        severity: "error",
        code: "no_endpoint",
        path: most ? [most] : [],
        message: "No endpoint is available: every request would be rejected.",
      },
    ];
  }
  const allowed = expandModels(
    facts.guardrail.allowed_models ?? [],
    facts.endpoints.map(({ model, provider }) => ({ ...model, providers: [provider.slug] })),
  );
  return LOSSES.flatMap(({ code, cause }): LintFinding[] => {
    const ofCode = new Map(lost.filter(({ loss }) => loss.code === code).map(({ model, field }) => [model, field]));
    const names = allowed.length > 0 ? allowed.filter((name) => ofCode.has(identity(name))) : [...ofCode.keys()];
    if (names.length === 0) return [];
    return [
      {
        severity: left.size === 0 ? "error" : allowed.length > 0 ? "warning" : "info",
        code,
        path: [allowed.length > 0 ? "allowed_models" : ([...ofCode.values()][0] ?? "")],
        message: `${cause} no endpoint for ${plural(names, "model")}: ${namesText(names)}.`,
        ...(allowed.length > 0 && shorter(facts, "allowed_models", names)),
      },
    ];
  });
}

/** Finds models that the limit rejects because none of their allowed endpoints has a known price. */
function unpriced(facts: LintFacts, identity: Identity): LintFinding[] {
  const layer: Layer = { scope: "draft", guardrail: facts.guardrail };
  const terms = { allowed: facts.allowsUnpriced, key_limit: "none" } as const;
  const allowed = facts.endpoints.filter((endpoint) => refusalsOf([layer], endpoint, facts.zdrVendors).length === 0);
  const isRefused = (endpoint: PricedEndpoint) => unpricedRefusals([layer], endpoint, terms).length > 0;
  const nameOf = ({ model }: LintEndpoint) => identity(model.slug);
  const left = new Set(allowed.filter((endpoint) => !isRefused(endpoint)).map(nameOf));
  const names = [...new Set(allowed.map(nameOf))].filter((name) => !left.has(name));
  if (names.length === 0) return [];
  return [
    {
      severity: "warning",
      code: "unpriced_model",
      path: ["limit_usd"],
      message: `The limit rejects ${plural(names, "model")} without a known price: ${namesText(names)}. Set prices, or allow unpriced models in the workspace.`,
    },
  ];
}

/** True when two lists both restrict and have no name in common. */
function excludesAll(ours: readonly string[] | null, theirs: readonly string[] | null, identity: Identity): boolean {
  if (!ours?.length || !theirs?.length || [...ours, ...theirs].some(isWildcard)) return false;
  const names = new Set(theirs.map(identity));
  return !ours.some((name) => names.has(identity(name)));
}

function emptyIntersections(facts: LintFacts, identity: Identity): LintFinding[] {
  const layer: Layer = { scope: "draft", guardrail: facts.guardrail };
  const isLeft = (layers: readonly Layer[]) =>
    facts.endpoints.some((endpoint) => refusalsOf(layers, endpoint, facts.zdrVendors).length === 0);
  return facts.companions.flatMap(({ layer: other, role }): LintFinding[] => {
    const { guardrail } = other;
    const clash =
      (excludesAll(facts.guardrail.allowed_models, guardrail.allowed_models, identity) && "allowed_models") ||
      (excludesAll(facts.guardrail.allowed_providers, guardrail.allowed_providers, providerIdentity) &&
        "allowed_providers") ||
      (excludesAll(facts.guardrail.allowed_data_regions, guardrail.allowed_data_regions, (region) => region) &&
        "allowed_data_regions");
    if (!clash && (!isLeft([layer]) || !isLeft([other]) || isLeft([layer, other]))) return [];
    const message = `Together with “${guardrail.name}”, ${role}, no endpoint is available: every request under both would be rejected.`;
    return [{ severity: "error", code: "empty_intersection", path: clash ? [clash] : [], message }];
  });
}

function budget({ guardrail: { limit_usd, reset_interval }, busiest }: LintFacts): LintFinding[] {
  if (limit_usd === null) {
    const message = "A reset interval has no effect without a limit.";
    return reset_interval === null
      ? []
      : [
          {
            severity: "warning",
            code: "interval_without_limit",
            path: ["reset_interval"],
            message,
            fix: { path: "reset_interval", value: null },
          },
        ];
  }
  const findings: LintFinding[] = [];
  if (reset_interval === null) {
    const message = "The limit never resets: once it is reached, all further requests are rejected.";
    findings.push({
      severity: "info",
      code: "limit_without_interval",
      path: ["reset_interval"],
      message,
      fix: { path: "reset_interval", value: "monthly" },
    });
  }
  if (busiest && busiest.usdPerDay > limit_usd) {
    const message = `${busiest.name} spends $${busiest.usdPerDay.toFixed(2)} on an average day, more than the entire limit.`;
    findings.push({
      severity: "warning",
      code: "budget_below_average_day",
      path: ["limit_usd"],
      message,
      fix: { path: "limit_usd", value: Math.ceil(busiest.usdPerDay) },
    });
  }
  return findings;
}

function assignment({ assigned }: LintFacts): LintFinding[] {
  if (!assigned || assigned.isDefault || assigned.keys + assigned.members > 0) return [];
  return [
    {
      severity: "warning",
      code: "assigned_to_nothing",
      path: [],
      message: "Unassigned, not enforced: assign it to a key or member, or make it a workspace’s default.",
    },
  ];
}

function observing({ guardrail }: LintFacts): LintFinding[] {
  if (guardrail.mode === "enforce") return [];
  const message = "Only observed: requests pass unchanged, and the log says what would have happened.";
  return [
    { severity: "info", code: "only_observes", path: ["mode"], message, fix: { path: "mode", value: "enforce" } },
  ];
}

const ORDER = { error: 0, warning: 1, info: 2 };

/** Lints a guardrail for contradictions, unreachable rules and ineffective rules, most severe first. */
export function lint(facts: LintFacts): LintFinding[] {
  const identity = modelIdentity(facts);
  const { content_filters, content_filter_builtins, external_checks } = facts.guardrail;
  const contradictions = [
    ...allowedAndIgnored(facts, "model", identity),
    ...allowedAndIgnored(facts, "provider", providerIdentity),
  ];
  const hasEmptied = contradictions.some(({ severity }) => severity === "error");
  return [
    ...contradictions,
    ...(hasEmptied ? [] : [...reachable(facts, identity), ...unpriced(facts, identity)]),
    ...emptyIntersections(facts, identity),
    ...facts.presets,
    ...observing(facts),
    ...unknowns(facts),
    ...lintDuplicates(facts.guardrail, facts.duplicates),
    ...lintVendors(facts.guardrail, facts.endpoints, facts.zdrVendors),
    ...lintPatterns(content_filters ?? [], content_filter_builtins ?? []),
    ...lintHeldAnswers(content_filters ?? [], content_filter_builtins ?? []),
    ...lintChecks(external_checks ?? [], facts.allowPrivate),
    ...budget(facts),
    ...assignment(facts),
    ...lintExceptions(facts.guardrail, facts.exceptions),
  ].sort((a, b) => ORDER[a.severity] - ORDER[b.severity]);
}
