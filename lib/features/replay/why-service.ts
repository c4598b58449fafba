import "server-only";
import { NO_KEY_LIMIT } from "../../engine/budgets/budget-rule";
import { budgetRules, type BudgetSubjects } from "../../engine/budgets/budget";
import { unpricedTerms } from "../../engine/policy/unpriced-models";
import { allowsUnpriced } from "../../records/workspaces/unpriced-store";
import { limitRules, limitTerms, type LimitSubjects } from "../../engine/budgets/limit";
import { isBudgetDecision } from "../../engine/budgets/vocabulary";
import { endUserId } from "../../engine/protocols/end-user";
import type { Endpoint } from "../../engine/endpoint";
import { loadLimits } from "../../records/limits/limits-store";
import { exhaustedAt, exhaustedDecisions, exhaustedDenial, raisedDecisions } from "../../engine/budgets/denial";
import type { Context } from "../../platform/context";
import { ownRaises } from "../../records/exceptions/active-store";
import { byId } from "../../records/generations/service";
import * as versions from "../guardrails/versions-service";
import { notFound } from "../../platform/api-error";
import type { Input, Result } from "../../platform/http/operation";
import { findEndpoints } from "../../gateway/endpoints-store";
import { previewReservation, NO_RESERVATION } from "../../gateway/reservation-service";
import { recordedSize } from "../../engine/routing/request-size";
import { candidatesOf } from "../policy-check/evaluate-service";
import { layersByMode, sourceOf, type Layer } from "../../engine/policy/layers";
import { loadLayers } from "../../records/guardrails/layers-store";
import { changeOf, type RequestResult } from "./change";
import {
  calledEndpoints,
  isPrepared,
  needsTexts,
  prepare,
  readLimits,
  recordedResult,
  routesOf,
  type Prepared,
} from "./batch-service";
import { reevaluate } from "./reevaluate-service";
import { toVerdict } from "./rows";
import { NO_TEXTS, rowsOf, textsOf } from "./selection-store";
import { OBSTACLES, type Obstacle } from "./vocabulary";
import type { explainGeneration, PolicyVerdict } from "./why-contract";

const DAY_MS = 24 * 60 * 60_000;
/** Maximum number of revisions reported per guardrail. */
const MOST_REVISIONS = 20;

/**
 * Re-evaluates a recorded request with the original revisions, or with the current policy. Nothing is sent or charged.
 */
export async function explain(
  context: Context,
  { query: { id, as_of } }: Input<typeof explainGeneration>,
): Promise<Result<typeof explainGeneration>> {
  const { db, now, settings } = context;
  const found = await db.generation.findFirst({
    where: byId(context, id),
    select: {
      createdAt: true,
      keyId: true,
      userId: true,
      workspaceId: true,
      externalUser: true,
      workspace: { select: { contentRetentionDays: true } },
      key: {
        select: {
          limitMicroUsd: true,
          limitReset: true,
          includeByokInLimit: true,
          tags: true,
          creator: { select: { tags: true } },
        },
      },
    },
  });
  const [row] = found ? await rowsOf(context, [{ created_at: found.createdAt, id }]) : [];
  if (!found || !row) throw notFound();
  const { contentRetentionDays: days } = found.workspace;
  const { enforced: inForce } = layersByMode(await loadLayers(db, found, settings.zdrVendors, now));
  const contentFrom = days === null ? null : new Date(now.getTime() - days * DAY_MS);
  const [prepared = "facts_not_kept" as const] = await prepare(context, [row], {
    contentFrom,
    layersFor: (_, then) => (as_of === "then" ? then : inForce),
  });
  const recorded = recordedResult(row, isPrepared(prepared) ? prepared : null);
  const judged = isPrepared(prepared)
    ? await (as_of === "then"
        ? judgeThen(context, prepared)
        : judgeNow(context, prepared, await spenderOf(context, found)))
    : prepared;
  const then = isPrepared(prepared) ? prepared.layers : [];
  const obstacle = typeof judged === "string" ? judged : null;
  return {
    data: {
      generation_id: id,
      as_of,
      recorded: toVerdict(recorded),
      verdict: typeof judged === "string" ? null : { ...toVerdict(judged.fate), candidates: judged.candidates },
      obstacle: obstacle && { code: obstacle, message: OBSTACLES[obstacle] },
      is_same: typeof judged !== "string" && changeOf(recorded, judged.fate, calledEndpoints(row)) === null,
      layers: (as_of === "then" ? then : inForce).map(sourceOf),
      changes: as_of === "then" || !isPrepared(prepared) ? [] : await changesOf(context, then, inForce),
    },
  };
}

interface Judgement {
  fate: RequestResult;
  candidates: NonNullable<PolicyVerdict["verdict"]>["candidates"];
}

/** Evaluates with the original revisions and endpoints. Original budgets are known only from the decisions. */
async function judgeThen(context: Context, prepared: Prepared): Promise<Judgement | Obstacle> {
  const verdict = await reevaluate(prepared, NO_TEXTS, readLimits(context));
  if (typeof verdict === "string") return verdict;
  const ofMoney = !verdict.isDenied ? prepared.decisions.filter(isBudgetDecision) : [];
  const isStopped = ofMoney.some(({ action }) => action === "block");
  return {
    fate: {
      outcome: isStopped ? "budget_exhausted" : verdict.outcome,
      message: isStopped ? prepared.row.error_message : verdict.message,
      ...routesOf(verdict.plan),
      decisions: [...verdict.decisions, ...ofMoney],
    },
    candidates: candidatesOf(verdict, { candidates: verdict.plan.candidates, exhausted: [] }, recordedSize([])),
  };
}

type Spender = BudgetSubjects & Omit<LimitSubjects, "endpoints">;

interface SpenderRow extends Pick<Spender, "keyId" | "userId" | "workspaceId"> {
  externalUser: string | null;
  key: (BudgetSubjects["key"] & { tags: string[]; creator: { tags: string[] } | null }) | null;
}

/** Returns whose budgets count a request, with the key's own limit including current raises. */
async function spenderOf(
  { db, now }: Context,
  { keyId, userId, workspaceId, externalUser, key }: SpenderRow,
): Promise<Spender> {
  return {
    keyId,
    userId,
    workspaceId,
    tags: [...(key?.tags ?? []), ...(key?.creator?.tags ?? [])],
    endUser: endUserId(externalUser),
    isOfJudge: false,
    key: key && keyId !== null ? { ...key, raises: await ownRaises(db, keyId, now) } : NO_KEY_LIMIT,
  };
}

/** Evaluates with the current guardrails, endpoints and budgets. */
async function judgeNow(context: Context, prepared: Prepared, spender: Spender): Promise<Judgement | Obstacle> {
  const { endpoints } = await findEndpoints(context, prepared.facts.models);
  const found = (await textsOf(context, needsTexts(prepared) ? [prepared.row] : [])).get(prepared.row.id);
  if (!found && needsTexts(prepared)) return "content_expired";
  const texts = found ?? NO_TEXTS;
  const { zdrVendors } = context.settings;
  const limits = await loadLimits(context.db, context.caller.organizationId);
  const rulesOf = (candidates: readonly Endpoint[]) => limitRules(limits, { ...spender, endpoints: candidates });
  const unpriced = unpricedTerms(
    await allowsUnpriced(context.db, spender.workspaceId),
    spender.key,
    limitTerms(rulesOf(endpoints)),
  );
  const verdict = await reevaluate({ ...prepared, endpoints }, texts, readLimits(context), { zdrVendors, unpriced });
  if (typeof verdict === "string") return verdict;
  const size = recordedSize(texts.messages);
  const { candidates } = verdict.plan;
  const reservation = !verdict.isDenied
    ? await previewReservation(
        context,
        [...budgetRules(prepared.now, spender), ...rulesOf(candidates)],
        candidates,
        size,
      )
    : { ...NO_RESERVATION, candidates };
  const isStopped = !verdict.isDenied && reservation.candidates.length === 0;
  return {
    fate: {
      outcome: isStopped ? "budget_exhausted" : verdict.outcome,
      message: isStopped
        ? exhaustedDenial(reservation.exhausted, exhaustedAt(candidates, reservation.exhausted, size)).message
        : verdict.message,
      ...routesOf({ candidates: reservation.candidates }),
      decisions: [
        ...verdict.decisions,
        ...exhaustedDecisions(reservation.exhausted, isStopped ? "block" : "exclude"),
        ...raisedDecisions(reservation.reserved, reservation.candidates, size),
      ],
    },
    candidates: candidatesOf(verdict, reservation, size),
  };
}

/**
 * Compares guardrails at the time of the request with the current ones: added, removed or changed, with their
 * revisions.
 */
async function changesOf(
  context: Context,
  then: readonly Layer[],
  now: readonly Layer[],
): Promise<PolicyVerdict["changes"]> {
  const keyOf = ({ scope, guardrail: { id } }: Layer) => `${scope} ${id}`;
  const pairs = new Map<string, { then?: Layer; now?: Layer }>();
  for (const layer of then) pairs.set(keyOf(layer), { then: layer });
  for (const layer of now) pairs.set(keyOf(layer), { ...pairs.get(keyOf(layer)), now: layer });
  const changed = [...pairs.values()].filter((pair) => pair.then?.guardrail.revision !== pair.now?.guardrail.revision);
  return Promise.all(
    changed.flatMap((pair) => {
      const layer = pair.now ?? pair.then;
      if (!layer || layer.scope === "draft" || layer.guardrail.id === null) return [];
      const { scope, guardrail } = layer;
      const [from, to] = [pair.then?.guardrail.revision ?? null, pair.now?.guardrail.revision ?? null];
      return revisionsBetween(context, guardrail.id as string, from, to).then((revisions) => ({
        scope,
        guardrail_id: guardrail.id as string,
        guardrail_name: guardrail.name,
        from_revision: from,
        to_revision: to,
        revisions,
      }));
    }),
  );
}

async function revisionsBetween(
  context: Context,
  id: string,
  from: number | null,
  to: number | null,
): Promise<PolicyVerdict["changes"][number]["revisions"]> {
  if (from === null || to === null) return [];
  const { data } = await versions.list(context, {
    params: { id },
    query: { offset: 0, limit: MOST_REVISIONS },
    body: undefined,
  });
  return data.filter(({ revision }) => revision > from && revision <= to);
}
