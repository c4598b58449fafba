import "server-only";
import { recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { draftIssues } from "../../records/guardrails/rules";
import { ApiError } from "../../platform/api-error";
import { encodeCursor } from "../../platform/http/cursor";
import { EventStream } from "../../platform/http/event-stream";
import { inspected } from "../../platform/http/inspected";
import type { Input, Result } from "../../platform/http/operation";
import { clientDisconnected } from "../../engine/decision/denial";
import { sseEvent } from "../../engine/protocols/server-sent-events";
import { logger } from "../../platform/logger";
import { following } from "../../platform/signal";
import { draftLayers } from "./draft-layers";
import type { Replay, ReplayBody, ReplayProgress, replayGuardrail } from "./contract";
import { changeOf } from "./change";
import { decodeReplayCursor, encodeReplayCursor } from "./cursor";
import { contentAccess, evaluateBatch, type EvaluatedRequest } from "./batch-service";
import { applySimulatedBudgets, summarize } from "./outcome";
import { toReachedLimit, toRow } from "./rows";
import { countSelected, selectedBatches, type Selection } from "./selection-store";
import { logScope } from "../../records/generations/service";
import { findTarget, type Target } from "./target-service";
import type { Change, Obstacle } from "./vocabulary";

/** Maximum number of reached limits reported. */
const MOST_BUDGETS = 100;

/** Replays a selection, with progress events if requested; stops when the client disconnects. */
export const replay = inspected(
  ({ guardrail }, { zdrVendors }) => draftIssues(["guardrail"], guardrail, zdrVendors),
  async (
    context: Context,
    { body }: Input<typeof replayGuardrail>,
  ): Promise<Result<typeof replayGuardrail> | EventStream> => {
    const target = await findTarget(context, body);
    const start =
      body.cursor === undefined ? { left: body.selection.last, cursor: undefined } : decodeReplayCursor(body.cursor);
    const selection = selectionOf(context, target, body.selection);
    const abandoned = following(context.signal);
    const leaving = { ...context, signal: abandoned };
    if (running >= MOST_AT_ONCE)
      throw new ApiError(
        429,
        "Too many replays are running. Try again in a few seconds",
        { reason: "replay_busy" },
        { "retry-after": "2" },
      );
    const run = counted(walk(leaving, target, selection, body.limit, start));
    if (context.client.wantsEvents) return new EventStream(eventsOf(run, leaving), () => abandoned.abort());
    try {
      for await (const step of run) if ("result" in step) return { data: step.result };
    } catch (error) {
      throw context.signal.aborted ? clientDisconnected() : error;
    }
    throw new Error("a replay must end with its result");
  },
);

/** Maximum number of concurrent replays. They share two threads, so more would only slow each other down. */
const MOST_AT_ONCE = 4;
let running = 0;

async function* counted(steps: AsyncGenerator<Step, void>): AsyncGenerator<Step, void> {
  running += 1;
  try {
    yield* steps;
  } finally {
    running -= 1;
  }
}

/** Yields `progress` after every batch, then `result`, or `error` on failure. */
async function* eventsOf(
  steps: AsyncGenerator<Step, void>,
  { requestId, signal }: Context,
): AsyncGenerator<string, void> {
  try {
    for await (const step of steps)
      yield "result" in step
        ? sseEvent({ data: step.result }, "result")
        : sseEvent({ data: step.progress }, "progress");
  } catch (error) {
    if (signal.aborted) return;
    logger().error({ err: error, requestId }, "a replay failed");
    yield sseEvent({ error: { code: 500, message: "Internal Server Error" } }, "error");
  }
}

type Step = { progress: ReplayProgress } | { result: Replay };

interface Start {
  left: number;
  cursor: string | undefined;
}

/** Evaluates batch by batch. Audits the contents read, however it ends. */
async function* walk(
  context: Context,
  target: Target,
  selection: Selection,
  limit: number,
  start: Start,
): AsyncGenerator<Step, void> {
  const { last: most } = selection;
  const total = await countSelected(context, selection);
  const expected = Math.max(0, Math.min(total, most) - (most - start.left));
  const policy = {
    draftId: target.draft.id,
    layersFor: draftLayers(target),
    contents: contentAccess(context, target.workspaceId, target.contentRetentionDays),
  };
  const judged: EvaluatedRequest[] = [];
  const changes: Change[] = [];
  const places = new Map<string, number>();
  const obstacles = new Map<Obstacle, number>();
  let [seen, evaluated] = [0, 0];
  let read = 0;
  try {
    for await (const rows of selectedBatches(context, selection, start.left, start.cursor)) {
      for (const { id } of rows) places.set(id, (seen += 1));
      for (const one of await evaluateBatch(context, rows, policy, (contents) => (read += contents))) {
        if (typeof one === "string") {
          obstacles.set(one, (obstacles.get(one) ?? 0) + 1);
          continue;
        }
        evaluated += 1;
        const change = changeOf(one.before, one.after, one.called);
        if (change) changes.push(change);
        if (change || one.simulated.length > 0) judged.push(one);
      }
      yield { progress: { selected: Math.max(seen, expected), ...summarize(evaluated, obstacles, changes) } };
    }
  } finally {
    if (read > 0) await recordReading(context, target, { selected: seen, contents_read: read });
  }
  const { changed, reached } = applySimulatedBudgets(judged);
  const shown = changed.slice(0, limit);
  const last = shown.at(-1)?.row;
  const result: Replay = {
    selected: seen,
    truncated: total > most,
    ...summarize(
      evaluated,
      obstacles,
      changed.map(({ change }) => change),
    ),
    budgets: await budgetsOf(context, reached),
    rows: shown.map(toRow),
    next_cursor:
      changed.length > limit && last
        ? encodeReplayCursor(start.left - (places.get(last.id) ?? 0), encodeCursor([last.created_at, last.id]))
        : null,
  };
  yield { result };
}

function selectionOf(
  context: Context,
  { workspaceId, keyHashes }: Target,
  { filters, from, to, last }: ReplayBody["selection"],
): Selection {
  const requested = filters.key_hash === undefined ? null : [filters.key_hash].flat();
  const keys = keyHashes && requested ? keyHashes.filter((hash) => requested.includes(hash)) : (keyHashes ?? requested);
  const selected = { ...filters, from, to, workspace_id: workspaceId, key_hash: keys ? [...keys] : undefined };
  return { last, scope: logScope(context, selected), filters: selected };
}

async function budgetsOf({ db }: Context, reached: Parameters<typeof toReachedLimit>[0][]): Promise<Replay["budgets"]> {
  const listed = reached.toSorted((a, b) => a.at.getTime() - b.at.getTime()).slice(0, MOST_BUDGETS);
  const ids = listed.flatMap(({ budget: { rule } }) => (rule.subject === "key" ? rule.subjectId : []));
  const keys =
    ids.length === 0 ? [] : await db.key.findMany({ where: { id: { in: ids } }, select: { id: true, hash: true } });
  const hashOf = new Map(keys.map(({ id, hash }) => [id, hash]));
  return listed.map((one) => toReachedLimit(one, hashOf));
}

const recordReading = (
  context: Context,
  { draft, workspaceId }: Target,
  after: { selected: number; contents_read: number },
) =>
  recordChange(context.db, context, {
    action: "guardrail.replay",
    target:
      draft.id === null
        ? { type: "workspace", id: workspaceId }
        : { type: "guardrail", id: draft.id, name: draft.name },
    workspaceId,
    after,
  });
