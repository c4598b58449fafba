import "server-only";
import { budgetRules } from "../../engine/budgets/budget";
import { NO_KEY_LIMIT, type PolicyRule, type RequestSize } from "../../engine/budgets/budget-rule";
import { scanLimits, type ScanLimits } from "../../gateway/filters/scan-service";
import type { Context } from "../../platform/context";
import { includesWorkspace, workspacesWith } from "../../platform/grants";
import { attemptsOf } from "../../records/generations/attempts";
import type { Decision } from "../../engine/decision/contract";
import { endpointsOf, loadSnapshots } from "../../gateway/record/catalogue-snapshots-store";
import type { Endpoint } from "../../engine/endpoint";
import { contentBlock } from "../../engine/filters/findings";
import { PolicyFacts } from "../../gateway/record/policy-facts";
import type { Plan } from "../../engine/routing/plan";
import { recordedSize } from "../../engine/routing/request-size";
import { judgeLayers } from "../../engine/policy/judge-layers";
import type { Layer } from "../../engine/policy/layers";
import { simulatedRules, remainingBudgetDecisions } from "./budgets";
import { blocksAnswer, recordedOutcome, type RequestResult, type Route } from "./change";
import { evidenceOf, type Evidence } from "./evidence";
import { loadRecordedLayers } from "./recorded-layers-store";
import { reevaluate, replan, type Recorded, type Replayable } from "./reevaluate-service";
import { NO_TEXTS, withMessages, type RecordedRow, type StoredTexts } from "./selection-store";
import type { Obstacle } from "./vocabulary";

/** A recorded request evaluated under the replayed policy, before simulated budgets. */
export interface EvaluatedRequest {
  row: RecordedRow;
  before: RequestResult;
  after: RequestResult;
  called: readonly Route[];
  candidates: readonly Endpoint[];
  size: RequestSize;
  /** Limits that were not in force at the time. */
  simulated: readonly PolicyRule[];
  found: { path: (string | number)[]; start: number; end: number; rule: string }[];
}

/** The policy to replay. */
export interface Policy {
  draftId: string | null;
  /** Returns the layers including the draft; the same array for equal layers and placement. */
  layersFor: (row: RecordedRow, then: readonly Layer[]) => readonly Layer[];
  contents: ContentAccess;
}

/** What of the stored content of a workspace may be read. */
export interface ContentAccess {
  isPermitted: boolean;
  /** Content stored before this time counts as deleted; null if all content is retained. */
  from: Date | null;
}

export const contentAccess = ({ caller, now }: Context, workspaceId: string, days: number | null): ContentAccess => ({
  isPermitted: includesWorkspace(workspacesWith(caller, "contents:read"), workspaceId),
  from: days === null ? null : new Date(now.getTime() - days * DAY_MS),
});

/** All inputs of a re-evaluation except the content. */
export interface Prepared extends Replayable {
  row: RecordedRow;
}

export const isPrepared = (one: Prepared | Obstacle): one is Prepared => typeof one !== "string";

const DAY_MS = 24 * 60 * 60_000;
/** Number of concurrent scans, enough to keep the threads busy. */
const AT_ONCE = 8;

/** Evaluates a batch and returns each request with its verdict or the obstacle. Counts the contents read. */
export async function evaluateBatch(
  context: Context,
  rows: readonly RecordedRow[],
  policy: Policy,
  onRead: (contents: number) => void,
): Promise<(EvaluatedRequest | Obstacle)[]> {
  const prepared = new Map(
    (await prepare(context, rows, policy)).map((one, index) => [rows[index] as RecordedRow, one]),
  );
  const isNeeded = (row: RecordedRow) => {
    const one = prepared.get(row);
    return one !== undefined && isPrepared(one) && needsTexts(one);
  };
  const judged: (EvaluatedRequest | Obstacle)[] = [];
  for await (const part of withMessages(context, rows, isNeeded)) {
    onRead(part.texts.size);
    for (let start = 0; start < part.rows.length; start += AT_ONCE) {
      context.signal.throwIfAborted();
      const some = part.rows.slice(start, start + AT_ONCE).map(async (row) => {
        const one = prepared.get(row) ?? "facts_not_kept";
        if (!isPrepared(one)) return one;
        const texts = part.texts.get(row.id);
        return texts || !needsTexts(one) ? judgeOne(context, one, texts ?? NO_TEXTS, policy) : "content_expired";
      });
      judged.push(...(await Promise.all(some)));
      await new Promise(setImmediate);
    }
  }
  return judged;
}

/** Loads what the facts of the requests refer to. */
export async function prepare(
  context: Context,
  rows: readonly RecordedRow[],
  policy: Pick<Policy, "layersFor" | "contents">,
): Promise<(Prepared | Obstacle)[]> {
  const facts = rows.map(({ policy_facts }) =>
    policy_facts === null ? null : (PolicyFacts.safeParse(policy_facts).data ?? null),
  );
  const kept = facts.filter((one) => one !== null);
  const [then, snapshots] = await Promise.all([
    loadRecordedLayers(context, kept),
    loadSnapshots(context.db, context.caller.organizationId, [...new Set(kept.flatMap(({ catalogue }) => catalogue))]),
  ]);
  return rows.map((row, index) => {
    const own = facts[index];
    if (!own) return "facts_not_kept";
    if (own.draft) return "draft_not_stored";
    const recorded = then(own);
    if (!recorded) return "policy_gone";
    const isForJudge = own.layers.some(({ judge }) => judge);
    const layers = isForJudge ? judgeLayers(recorded) : recorded;
    const endpoints = endpointsOf(own.catalogue, snapshots);
    if (!endpoints) return "catalogue_gone";
    const replayed = policy.layersFor(row, recorded);
    const now = isForJudge ? judgeLayers(replayed) : replayed;
    const decisions = row.decisions as Decision[];
    const missing = missingContent(row, policy.contents);
    const evidence = evidenceOf({ matched: own.matched, layers, decisions, missing }, now);
    const answer = answerEvidence(row, { layers, decisions, missing, matched: own.answer_matched ?? [] }, now);
    return evidence.obstacle ?? { row, facts: own, layers, endpoints, decisions, now, evidence, answer };
  });
}

export const needsTexts = ({ evidence, answer }: Prepared): boolean =>
  evidence.unknown.length > 0 || (answer?.obstacle === null && answer.unknown.length > 0);

/** Returns the evidence about a response. The rest of a response that a filter blocked is unknown. */
function answerEvidence(
  { status, attempts }: RecordedRow,
  record: Parameters<typeof evidenceOf>[0],
  now: readonly Layer[],
): Evidence | null {
  const wasBlocked = record.decisions.some(blocksAnswer);
  if ((status !== "succeeded" && !wasBlocked) || (attempts as unknown[]).length === 0) return null;
  const decisions = record.decisions.filter(({ direction }) => direction === "response");
  const evidence = evidenceOf({ ...record, decisions }, now, "response");
  const isBlocked = contentBlock([...evidence.findings.values()].flat(), "response") !== null;
  // Checks judge whole responses, which aren't stored either if they are blocked.
  const unread = record.decisions.some((decision) => blocksAnswer(decision) && isOfFilter(decision))
    ? evidence.rules
    : evidence.unknown;
  return wasBlocked && !isBlocked && unread.length > 0 ? { ...evidence, obstacle: "redacted" } : evidence;
}

const isOfFilter = ({ field }: Decision) => field === "content_filters" || field === "content_filter_builtins";

/**
 * True for a check that blocked a request. It withholds all of the request, so stored messages have a label instead.
 */
const blocksRequest = ({ field, action, direction }: Decision) =>
  (field === "external_checks" || field === "judges") &&
  (action === "block" || action === "error") &&
  direction !== "response";

function missingContent(
  { content_stored, content_deleted_at, created_at, decisions, size }: RecordedRow,
  { isPermitted, from }: ContentAccess,
): Obstacle | null {
  const isPastRetention = from !== null && created_at < from;
  if (content_deleted_at !== null || (content_stored && (isPastRetention || size === null))) return "content_expired";
  if (size === null) return "content_not_stored";
  if (!isPermitted) return "content_not_permitted";
  return (decisions as Decision[]).some(blocksRequest) ? "redacted" : null;
}

async function judgeOne(
  context: Context,
  prepared: Prepared,
  texts: StoredTexts,
  { draftId }: Policy,
): Promise<EvaluatedRequest | Obstacle> {
  const { row, now, layers, decisions } = prepared;
  const verdict = await reevaluate(prepared, texts, readLimits(context));
  if (typeof verdict === "string") return verdict;
  const called = calledEndpoints(row);
  const spender = { keyId: row.key_id, userId: row.user_id, key: NO_KEY_LIMIT };
  const [rulesNow, rulesThen] = [budgetRules(now, spender), budgetRules(layers, spender)];
  const before = recordedResult(row, prepared);
  const standing = !verdict.isDenied ? remainingBudgetDecisions(decisions, draftId, rulesNow, rulesThen) : [];
  const isStopped = standing.some(({ action }) => action === "block");
  const after: RequestResult = {
    outcome: isStopped ? "budget_exhausted" : verdict.outcome,
    ...routesOf(verdict.plan),
    decisions: [...verdict.decisions, ...standing],
    message: isStopped ? row.error_message : verdict.message,
  };
  return {
    row,
    before,
    after,
    called,
    candidates: !verdict.isDenied ? verdict.plan.candidates : [],
    size: recordedSize(texts.messages),
    simulated: !verdict.isDenied && !isStopped ? simulatedRules(draftId, rulesNow, rulesThen) : [],
    found: verdict.read.flatMap(({ rule, spans }) => spans.map((span) => ({ ...span, rule: rule.label }))),
  };
}

export const calledEndpoints = (row: RecordedRow): Route[] =>
  attemptsOf(row.attempts, { model: row.model, providerSlug: row.provider_slug }).map(({ provider, model }) => ({
    provider,
    model,
  }));

/** Derives a recorded request's result, with its possible routes if they are known. */
export function recordedResult(row: RecordedRow, recorded: Recorded | null): RequestResult {
  const called = calledEndpoints(row);
  const decisions = row.decisions as Decision[];
  return {
    outcome: recordedOutcome({
      status: row.status,
      errorStatus: row.error_status,
      wasCalled: called.length > 0,
      decisions,
    }),
    ...(recorded
      ? routesOf(replan(recorded, recorded.layers), called[0])
      : { routes: called, first: called[0] ?? null }),
    decisions,
    message: called.length > 0 ? null : row.error_message,
  };
}

/** Minimum time limit for scanning the texts of a recorded request. */
const READ_TIMEOUT_MS = 10_000;

/** Returns limits for scanning the texts of a recorded request, which may take at least as long as the request. */
export function readLimits(context: Parameters<typeof scanLimits>[0]): ScanLimits {
  const limits = scanLimits(context);
  return { ...limits, timeoutMs: Math.max(READ_TIMEOUT_MS, limits.timeoutMs) };
}

/** Returns a plan's routes; `first` may be given separately. */
export function routesOf(
  { candidates }: Pick<Plan, "candidates">,
  first?: Route,
): Pick<RequestResult, "first" | "routes"> {
  const routes = candidates.map(({ model, provider }) => ({ model: model.slug, provider: provider.slug }));
  return { routes, first: first ?? routes[0] ?? null };
}
