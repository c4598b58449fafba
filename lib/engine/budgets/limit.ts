import { LRUCache } from "lru-cache";
import type { Endpoint } from "../endpoint";
import type { LimitTerm } from "../policy/unpriced-models";
import type { BudgetRule, Limit } from "./budget-rule";
import type { LimitMetric, LimitSubject } from "./vocabulary";

/** The subjects of a request. */
export interface LimitSubjects {
  workspaceId: string;
  keyId: string | null;
  userId: string | null;
  /** Tags of the key and of its member. */
  tags: readonly string[];
  endUser: string | null;
  /** The endpoints that may serve it. */
  endpoints: readonly Endpoint[];
  /** True for a request that a model judge sends, which only counts as spend. */
  isOfJudge: boolean;
}

/** An organization's limits by what they count. */
export interface LimitIndex {
  /** Limits by subject and id. */
  named: ReadonlyMap<string, readonly Limit[]>;
  /** Limits of each subject of a kind. */
  defaults: ReadonlyMap<LimitSubject, readonly Limit[]>;
}

/** Subjects of which each organization, or each limit, has one. */
const SINGLE = "";
const nameOf = (subject: LimitSubject, id: string) => `${subject} ${id}`;

export function indexLimits(limits: readonly Limit[]): LimitIndex {
  const named = new Map<string, Limit[]>();
  const defaults = new Map<LimitSubject, Limit[]>();
  const add = <Key>(map: Map<Key, Limit[]>, key: Key, limit: Limit) => {
    const known = map.get(key);
    if (known) known.push(limit);
    else map.set(key, [limit]);
  };
  for (const limit of limits) {
    const { subject, subjectIds } = limit;
    if (subject === "organization") add(named, nameOf(subject, SINGLE), limit);
    else if (subjectIds === null) add(defaults, subject, limit);
    else for (const id of subjectIds) add(named, nameOf(subject, id), limit);
  }
  return { named, defaults };
}

const present = (id: string | null): string[] => (id === null ? [] : [id]);

/** Returns the ids that a request has as a subject of each kind, broadest first. */
function idsOf({ workspaceId, keyId, userId, tags, endUser, endpoints }: LimitSubjects): [LimitSubject, string[]][] {
  return [
    ["organization", [SINGLE]],
    ["workspace", [workspaceId]],
    ["tag", [...new Set(tags)]],
    ["member", present(userId)],
    ["keys", present(keyId)],
    ["key", present(keyId)],
    ["end_user", present(endUser)],
    ["model", [...new Set(endpoints.map(({ model }) => model.slug))]],
    ["provider", [...new Set(endpoints.map(({ provider }) => provider.slug))]],
  ];
}

/** Returns the limits that count a request as rules, broadest first. A limit that names a subject replaces defaults for it. */
export function limitRules({ named, defaults }: LimitIndex, who: LimitSubjects): BudgetRule[] {
  if (named.size === 0 && defaults.size === 0) return [];
  const applies = ({ workspaceId, metric }: Limit) =>
    (workspaceId === null || workspaceId === who.workspaceId) && (metric === "spend" || !who.isOfJudge);
  return idsOf(who).flatMap(([subject, ids]) =>
    ids.flatMap((id) => {
      const own = (named.get(nameOf(subject, id)) ?? []).filter(applies);
      const others = (defaults.get(subject) ?? []).filter(
        (limit) => applies(limit) && !own.some((each) => replaces(each, limit)),
      );
      return [...own, ...others].map((limit) => ruleOf(limit, subject === "keys" ? SINGLE : id));
    }),
  );
}

/** True when a limit that names a subject replaces one for all of the kind. */
export const replaces = (own: Limit, other: Limit): boolean =>
  own.metric === other.metric && own.cycle.interval === other.cycle.interval;

/** Rules by limit and subject, because a rule's budget is cached with it. */
const rules = new LRUCache<string, { limit: Limit; rule: BudgetRule }>({ max: 20_000 });

function ruleOf(limit: Limit, subjectId: string): BudgetRule {
  const name = `${limit.id} ${subjectId}`;
  const known = rules.get(name);
  if (known?.limit === limit) return known.rule;
  const rule: BudgetRule = {
    source: null,
    sourceId: limit.id,
    subject: limit.subject,
    subjectId,
    limitMicroUsd: limit.amount,
    interval: limit.cycle.interval,
    includesByok: limit.metric !== "spend" || limit.includesByok,
    limit,
  };
  rules.set(name, { limit, rule });
  return rule;
}

/** True when a rule counts what an endpoint does, by its model and provider. */
export const countsEndpoint = (
  { subject, subjectId }: Pick<BudgetRule, "subject" | "subjectId">,
  { model, provider }: { model: Pick<Endpoint["model"], "slug">; provider: Pick<Endpoint["provider"], "slug"> },
): boolean =>
  subject === "model" ? model.slug === subjectId : subject === "provider" ? provider.slug === subjectId : true;

/** What a rule counts. */
export const metricOf = ({ limit }: Pick<BudgetRule, "limit">): LimitMetric => limit?.metric ?? "spend";

/** Returns what the spending limits among rules count, each once: they exclude models without a known price. */
export function limitTerms(rules: readonly BudgetRule[]): LimitTerm[] {
  const terms = rules.filter((rule) => metricOf(rule) === "spend").map(toTerm);
  return [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()];
}

const toTerm = ({ limit, subject, subjectId, includesByok }: BudgetRule): LimitTerm => ({
  scope: limit?.workspaceId ? "workspace" : "organization",
  spend: includesByok ? "all" : "platform",
  ...((subject === "model" || subject === "provider") && { subject, subject_id: subjectId }),
});
