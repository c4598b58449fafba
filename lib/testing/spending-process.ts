// A separate process that spends budget. It reserves and records like requests, with the given database and budget.
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { NO_KEY_LIMIT, type BudgetRule } from "../engine/budgets/budget-rule";
import { LIMIT_METRICS } from "../engine/budgets/vocabulary";
import { reserve } from "../records/budgets/service";
import { openPostgres } from "../platform/database/open";
import { newGenerationId } from "../platform/ids";
import { record } from "../gateway/record/record-store";
import { limitRule } from "./limits";
import { outcomeOf } from "./outcomes";
import { NO_GRANTS } from "../platform/grants";
import { contextOf } from "./context";

/** The task, as JSON in the first argument. */
export const SpendTask = z.object({
  databaseUrl: z.string(),
  organizationId: z.string(),
  workspaceId: z.string(),
  keyId: z.string(),
  now: z.coerce.date(),
  /** The guardrail or limit that applies to all requests. */
  sourceId: z.string(),
  /** What the limit counts; null for a guardrail's. */
  metric: z.enum(LIMIT_METRICS).nullable(),
  limitMicroUsd: z.coerce.bigint(),
  estimateMicroUsd: z.coerce.bigint(),
  /** True when requests cost exactly their estimate, false for any amount up to it. */
  isExact: z.boolean(),
  /** Number of parallel lanes, each with one request after another. */
  lanes: z.number(),
  requestsPerLane: z.number(),
});
export type SpendTask = z.input<typeof SpendTask>;

const task = SpendTask.parse(JSON.parse(process.argv[2] ?? ""));
const { now, organizationId, workspaceId, estimateMicroUsd } = task;
const { client: db, close } = await openPostgres(task.databaseUrl);
const caller = {
  kind: "key",
  keyKind: "inference",
  keyId: task.keyId,
  keyName: "Key",
  organizationId,
  workspaceId,
  userId: null,
  limit: NO_KEY_LIMIT,
  grants: NO_GRANTS,
} as const;
const context = contextOf(db, caller, { now });
const source = { scope: "key", guardrail_id: task.sourceId, guardrail_name: "Guardrail", revision: 1 } as const;
const guardrailRule: BudgetRule = {
  source,
  sourceId: task.sourceId,
  subject: "key",
  subjectId: "all",
  limitMicroUsd: task.limitMicroUsd,
  interval: "monthly",
  includesByok: false,
};

const rule = task.metric === null ? guardrailRule : limitRule(task.sourceId, task.metric, task.limitMicroUsd);

const say = (line: string) => process.stdout.write(`${line}\n`);

/** One request, whose upstream takes a moment. */
async function request(): Promise<void> {
  const id = newGenerationId(now);
  const admission = await reserve({ ...context, now: new Date(now.getTime() + performance.now()) }, id, [
    { rule, microUsd: estimateMicroUsd },
  ]);
  if ("exhausted" in admission) return void say(`refused ${id}`);
  await sleep(Math.random() * 200);
  const costMicroUsd = task.isExact
    ? estimateMicroUsd
    : 1n + BigInt(Math.floor(Math.random() * Number(estimateMicroUsd)));
  const settlements = admission.held.map(({ budgetId }) => ({ budgetId, generationId: id, costMicroUsd }));
  await record(context, outcomeOf({ id, costMicroUsd, settlements }));
  say(`recorded ${id}`);
}

async function lane(): Promise<void> {
  for (let count = 0; count < task.requestsPerLane; count++) await request();
}

say("ready");
await new Promise((resolve) => createInterface(process.stdin).once("line", resolve));
await Promise.all(Array.from({ length: task.lanes }, lane));
await close();
say("done");
process.exit(0);
