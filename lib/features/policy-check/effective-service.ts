import "server-only";
import { balancesOf } from "../../records/budgets/balances-store";
import { budgetOf, budgetRules, totalRaise } from "../../engine/budgets/budget";
import { ordinaryLimit } from "../../engine/budgets/lease";
import type { Balance, Budget, PolicyRule } from "../../engine/budgets/budget-rule";
import type { Context } from "../../platform/context";
import { activeOf } from "../exceptions/service";
import { invalid } from "../../platform/api-error";
import type { Input, Result } from "../../platform/http/operation";
import { fromMicroUsd } from "../../engine/money";
import { subjectIssues } from "./rules";
import type * as contract from "./contract";
import type { EffectiveBudget } from "./contract";
import { effectiveFields, type Catalogue } from "../../engine/policy/effective-policy";
import { layersByMode, sourceOf, type Layer } from "../../engine/policy/layers";
import { isWildcard } from "../../engine/policy/vocabulary";
import { loadLayers } from "../../records/guardrails/layers-store";
import { findSubject } from "./subject-service";

/** Returns the policy of a key or member, with the balance of every budget. */
export async function effective(
  context: Context,
  { query }: Input<typeof contract.getEffectivePolicy>,
): Promise<Result<typeof contract.getEffectivePolicy>> {
  const isNobody = query.key_hash === undefined && query.user_id === undefined;
  const issues = isNobody
    ? [{ path: ["key_hash"], message: "is required, or user_id", code: "invalid_type" }]
    : subjectIssues(query);
  if (issues.length > 0) throw invalid(issues);
  const { db, now, settings } = context;
  const subject = await findSubject(context, query);
  const layers = await loadLayers(db, subject, settings.zdrVendors, now);
  const { enforced } = layersByMode(layers);
  const budgets = budgetRules(layers, { ...subject, key: subject.limit }).map((rule) => budgetOf(rule, now));
  const [identity, balances] = [await modelIdentity(context, enforced), await balancesOf(db, budgets, now)];
  return {
    data: {
      workspace_id: subject.workspaceId,
      key_hash: subject.keyHash,
      user_id: subject.userId,
      layers: layers.map((layer) => ({ ...sourceOf(layer), mode: layer.guardrail.mode })),
      exceptions: await activeOf(context, subject),
      fields: {
        ...effectiveFields(enforced, identity, await catalogueFor(context, enforced)),
        limit_usd: budgets.map((budget) => toBudget(budget, balances.get(budget.id))),
      },
    },
  };
}

/** Loads the models and providers that the layers' wildcards may cover; empty without wildcards. */
async function catalogueFor({ caller, db }: Context, layers: readonly Layer[]): Promise<Catalogue> {
  const lists = layers.flatMap(
    ({ guardrail: { allowed_models, ignored_models, allowed_providers, ignored_providers } }) =>
      [allowed_models, ignored_models, allowed_providers, ignored_providers].flatMap((list) => list ?? []),
  );
  if (!lists.some(isWildcard)) return { models: [], providers: [] };
  const { organizationId } = caller;
  const [models, providers] = await Promise.all([
    db.model.findMany({
      where: { organizationId },
      select: {
        slug: true,
        canonicalSlug: true,
        vendor: true,
        endpoints: { select: { provider: { select: { slug: true } } } },
      },
    }),
    db.provider.findMany({ where: { organizationId }, select: { slug: true } }),
  ]);
  return {
    models: models.map(({ endpoints, ...model }) => ({
      ...model,
      providers: endpoints.map(({ provider }) => provider.slug),
    })),
    providers: providers.map(({ slug }) => slug),
  };
}

/** Loads the mapping of a model's slug and canonical slug to one name. */
async function modelIdentity({ caller, db }: Context, layers: readonly Layer[]): Promise<(name: string) => string> {
  const names = layers.flatMap(({ guardrail }) => [
    ...(guardrail.allowed_models ?? []),
    ...(guardrail.ignored_models ?? []),
  ]);
  const models = await db.model.findMany({
    where: { organizationId: caller.organizationId, slug: { in: names, mode: "insensitive" } },
    select: { slug: true, canonicalSlug: true },
  });
  const canonical = new Map(models.map(({ slug, canonicalSlug }) => [slug.toLowerCase(), canonicalSlug.toLowerCase()]));
  return (name) => canonical.get(name.toLowerCase()) ?? name.toLowerCase();
}

const NOTHING_SPENT: Balance = { spentMicroUsd: 0n, reservedMicroUsd: 0n };

function toBudget(
  { rule, windowStart, resetsAt }: Budget<PolicyRule>,
  { spentMicroUsd, reservedMicroUsd } = NOTHING_SPENT,
): EffectiveBudget {
  const limitMicroUsd = rule.isObserved ? ordinaryLimit(rule) : rule.limitMicroUsd;
  const remaining = limitMicroUsd - spentMicroUsd - reservedMicroUsd;
  return {
    ...(rule.source ?? { scope: "key", guardrail_id: null, guardrail_name: null, revision: null }),
    counted_per: rule.subject,
    limit_usd: fromMicroUsd(limitMicroUsd),
    raised_usd: rule.isObserved ? 0 : fromMicroUsd(totalRaise(rule.raises ?? [])),
    observed: rule.isObserved ?? false,
    reset_interval: rule.interval,
    include_byok_in_budgets: rule.includesByok,
    spent_usd: fromMicroUsd(spentMicroUsd),
    reserved_usd: fromMicroUsd(reservedMicroUsd),
    remaining_usd: fromMicroUsd(remaining > 0n ? remaining : 0n),
    window_start: rule.interval ? windowStart.toISOString() : null,
    resets_at: resetsAt?.toISOString() ?? null,
  };
}
