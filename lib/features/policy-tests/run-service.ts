import "server-only";
import { NO_KEY_LIMIT } from "../../engine/budgets/budget-rule";
import type { Context } from "../../platform/context";
import type { Guardrail as GuardrailRow } from "../../../prisma/generated/client";
import type { Database } from "../../platform/database/transaction";
import { draftLayer } from "../../records/guardrails/draft";
import type { GuardrailChanges } from "../../records/guardrails/rules";
import { toGuardrail } from "../../records/guardrails/rows";
import { ApiError, conflict, preconditionFailed } from "../../platform/api-error";
import { evaluate } from "../policy-check/evaluate-service";
import type { Layer } from "../../engine/policy/layers";
import type { PolicyTest, PolicyTestResult } from "./contract";
import { failureReason } from "./expectation";
import { toPolicyTest } from "./rows";
import { MAX_TESTS } from "./vocabulary";
import { count } from "../../platform/count";

/** Number of tests evaluated concurrently, since requests share the content filter threads. */
const AT_ONCE = 4;
/** Maximum number of failed tests named in an error. */
const MAX_NAMED = 20;

/**
 * Evaluates every test of a guardrail against that guardrail alone, like `POST /policy/check`, without calling external
 * checks.
 */
export async function runTests(
  context: Context,
  workspaceId: string,
  guardrailId: string,
  guardrail: Layer["guardrail"],
): Promise<PolicyTestResult[]> {
  const rows = await context.db.policyTest.findMany({
    where: { guardrailId },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: MAX_TESTS,
  });
  const { regions } = await context.db.workspace.findUniqueOrThrow({
    where: { id: workspaceId },
    select: { regions: true },
  });
  const layer: Layer = { scope: "draft", guardrail, ...(regions.length > 0 && { regions }) };
  const results: PolicyTestResult[] = [];
  for (let start = 0; start < rows.length; start += AT_ONCE) {
    const tests = rows.slice(start, start + AT_ONCE).map(toPolicyTest);
    results.push(...(await Promise.all(tests.map((test) => run(context, workspaceId, layer, test)))));
  }
  return results;
}

const NOBODY = {
  keyId: null,
  userId: null,
  limit: NO_KEY_LIMIT,
  tags: null,
};

async function run(context: Context, workspaceId: string, layer: Layer, test: PolicyTest): Promise<PolicyTestResult> {
  const { id, name, expected } = test;
  try {
    const given = { ...test, answer: test.answer ?? undefined };
    const check = await evaluate(context, given, { ...NOBODY, workspaceId }, Promise.resolve([layer]), {
      kind: "given",
      verdicts: test.check_verdicts ?? {},
    });
    const why = failureReason(expected, check);
    return {
      test_id: id,
      name,
      passed: why === null,
      expected,
      actual: check.outcome,
      why,
      message: check.message,
      decisions: check.decisions,
    };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return {
      test_id: id,
      name,
      passed: false,
      expected,
      actual: null,
      why: error.message,
      message: null,
      decisions: [],
    };
  }
}

/** The state of a guardrail for which its required tests passed. */
export interface Tested {
  revision: number;
  /** Versions of the tests; null if they weren't required. */
  tests: string | null;
}

const versionsOf = async (db: Database, guardrailId: string): Promise<string> => {
  const select = { id: true, updatedAt: true } as const;
  return JSON.stringify(await db.policyTest.findMany({ where: { guardrailId }, select, orderBy: { id: "asc" } }));
};

/** Rejects (409) changes with which a guardrail fails one of its required tests. Runs outside transactions. */
export async function testChanges(context: Context, row: GuardrailRow, changes: GuardrailChanges): Promise<Tested> {
  const { id, revision, testsRequired, workspaceId } = row;
  if (!testsRequired) return { revision, tests: null };
  const tests = await versionsOf(context.db, id);
  const vendors = context.settings.zdrVendors;
  const { guardrail } = draftLayer(changes, vendors, toGuardrail(row, vendors));
  assertPassed(await runTests(context, workspaceId, id, guardrail));
  return { revision, tests };
}

/**
 * Rejects (412) a save if the guardrail or its tests have changed since the tests ran. The guardrail must be locked.
 */
export async function assertTested(db: Database, row: GuardrailRow, { revision, tests }: Tested): Promise<void> {
  if (!row.testsRequired) return;
  if (row.revision === revision && (await versionsOf(db, row.id)) === tests) return;
  throw preconditionFailed(row.revision, "The guardrail or its tests changed while its tests ran. Try again");
}

function assertPassed(results: readonly PolicyTestResult[]): void {
  const failed = results.filter(({ passed }) => !passed);
  if (failed.length === 0) return;
  const named = failed.slice(0, MAX_NAMED).map(({ name, why }) => `“${name}” (${why})`);
  const more = failed.length > MAX_NAMED ? ` and ${failed.length - MAX_NAMED} more` : "";
  throw conflict(`${count(failed.length, "required test")} of the guardrail would fail: ${named.join(", ")}${more}`, {
    reason: "tests_failed",
    failed_tests: failed.map(({ test_id, name, expected, actual, why }) => ({
      test_id,
      name,
      expected,
      actual,
      why,
    })),
  });
}
