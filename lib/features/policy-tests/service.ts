import "server-only";
import type { PolicyTest as PolicyTestRow, Prisma } from "../../../prisma/generated/client";
import { recordChange, type Change } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { json } from "../../platform/database/json";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { draftIssues } from "../../records/guardrails/rules";
import { toGuardrail } from "../../records/guardrails/rows";
import { findGuardrail, findOfGuardrail, lockGuardrail } from "../../records/guardrails/store";
import { conflict, invalid, notFound } from "../../platform/api-error";
import { inspected } from "../../platform/http/inspected";
import type { Input, Result } from "../../platform/http/operation";
import { skipTake } from "../../platform/http/pagination";
import { uuidv7 } from "../../platform/ids";
import { checkIssues } from "../policy-check/rules";
import { draftLayer } from "../../records/guardrails/draft";
import type * as contract from "./contract";
import { toPolicyTest } from "./rows";
import { runTests } from "./run-service";
import { MAX_TESTS } from "./vocabulary";

/** Validates the request like inference. */
function assertAskable({ settings }: Context, { request, protocol }: { request: unknown; protocol: string }): void {
  const issues = checkIssues({ request, protocol }, settings.zdrVendors);
  if (issues.length > 0) throw invalid(issues);
}

async function findTest(db: Database, guardrailId: string, id: string): Promise<PolicyTestRow> {
  const row = await db.policyTest.findFirst({ where: { id, guardrailId } });
  if (!row) throw notFound();
  return row;
}

const target = ({ id, name }: contract.PolicyTest) => ({ type: "policy_test", id, name });

export async function list(
  context: Context,
  { params, query }: Input<typeof contract.listPolicyTests>,
): Promise<Result<typeof contract.listPolicyTests>> {
  const { tests, testsRequired, _count } = await findOfGuardrail(context.db, context, params.id, {
    tests: { orderBy: [{ createdAt: "asc" }, { id: "asc" }], ...skipTake(query) },
    testsRequired: true,
    _count: { select: { tests: true } },
  });
  return { data: tests.map(toPolicyTest), total_count: _count.tests, tests_required: testsRequired };
}

export async function create(
  context: Context,
  { params, body }: Input<typeof contract.createPolicyTest>,
): Promise<Result<typeof contract.createPolicyTest>> {
  assertAskable(context, body);
  const { caller, now } = context;
  return change(context, params.id, async (db, guardrailId) => {
    if ((await db.policyTest.count({ where: { guardrailId } })) >= MAX_TESTS)
      throw conflict(`A guardrail can have at most ${MAX_TESTS} tests. Delete one first`);
    const row = await db.policyTest.create({
      data: {
        ...toColumns(body),
        name: body.name,
        protocol: body.protocol,
        outcome: body.expected.outcome,
        request: body.request as Prisma.InputJsonObject,
        id: uuidv7(now),
        guardrailId,
        createdBy: caller.userId,
        createdAt: now,
      },
    });
    const data = toPolicyTest(row);
    return { answer: { data }, change: { action: "policy_test.create", target: target(data), after: data } };
  });
}

export async function update(
  context: Context,
  { params, body }: Input<typeof contract.updatePolicyTest>,
): Promise<Result<typeof contract.updatePolicyTest>> {
  return change(context, params.id, async (db, guardrailId) => {
    const row = await findTest(db, guardrailId, params.test_id);
    const before = toPolicyTest(row);
    assertAskable(context, { request: body.request ?? before.request, protocol: body.protocol ?? before.protocol });
    const data = toPolicyTest(
      await db.policyTest.update({ where: { id: row.id }, data: { ...toColumns(body), updatedAt: context.now } }),
    );
    return { answer: { data }, change: { action: "policy_test.update", target: target(data), before, after: data } };
  });
}

export async function remove(
  context: Context,
  { params }: Input<typeof contract.deletePolicyTest>,
): Promise<Result<typeof contract.deletePolicyTest>> {
  return change(context, params.id, async (db, guardrailId) => {
    const before = toPolicyTest(await findTest(db, guardrailId, params.test_id));
    await db.policyTest.delete({ where: { id: before.id } });
    return {
      answer: { deleted: true as const },
      change: { action: "policy_test.delete", target: target(before), before },
    };
  });
}

/** Updates the settings without a new revision, because they don't affect the guardrail's effect. */
export async function updateSettings(
  context: Context,
  { params, body }: Input<typeof contract.updatePolicyTests>,
): Promise<Result<typeof contract.updatePolicyTests>> {
  return change(context, params.id, async (db, id) => {
    const { name, testsRequired } = await db.guardrail.findUniqueOrThrow({ where: { id } });
    await db.guardrail.update({ where: { id }, data: { testsRequired: body.tests_required } });
    return {
      answer: { data: body },
      change: {
        action: "guardrail.require_tests",
        target: { type: "guardrail", id, name },
        before: { tests_required: testsRequired },
        after: body,
      },
    };
  });
}

export const run = inspected(
  ({ changes }, { zdrVendors }) => draftIssues(["changes"], changes, zdrVendors),
  async (
    context: Context,
    { params, body }: Input<typeof contract.runPolicyTests>,
  ): Promise<Result<typeof contract.runPolicyTests>> => {
    const vendors = context.settings.zdrVendors;
    const row = await findGuardrail(context.db, context, params.id);
    const { guardrail } = draftLayer(body.changes ?? {}, vendors, toGuardrail(row, vendors));
    const results = await runTests(context, row.workspaceId, row.id, guardrail);
    const passed = results.filter((result) => result.passed).length;
    return { data: { passed, failed: results.length - passed, results } };
  },
);

/** Changes a guardrail's tests under its lock, so that no concurrent save uses outdated tests. */
function change<Answer>(
  context: Context,
  id: string,
  work: (db: Database, guardrailId: string) => Promise<{ answer: Answer; change: Change }>,
): Promise<Answer> {
  return inTransaction(context.db, async (db) => {
    const guardrail = await lockGuardrail(db, context, id);
    const done = await work(db, guardrail.id);
    await recordChange(db, context, { ...done.change, workspaceId: guardrail.workspaceId });
    return done.answer;
  });
}

/** Converts API fields to columns; missing fields stay missing. */
const toColumns = ({
  name,
  request,
  protocol,
  check_verdicts,
  answer,
  expected,
}: Partial<contract.CreatePolicyTestBody>) => ({
  name,
  request: request as Prisma.InputJsonObject | undefined,
  protocol,
  checkVerdicts: json(check_verdicts),
  answer,
  ...(expected && { outcome: expected.outcome, field: expected.field ?? null, rule: expected.rule ?? null }),
});
