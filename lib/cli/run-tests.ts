import type { FileGuardrail, FileTest, PolicyFile } from "../features/policy-file/contract";
import { exportPolicy } from "../features/policy-file/contract";
import { checkPolicy } from "../features/policy-check/contract";
import { failureReason } from "../features/policy-tests/policy";
import { Refused, type Api } from "./api";
import { guardrailBody } from "./bodies";
import type { Printer } from "./printer";
import { readPolicyFile } from "./read-file";
import { Install } from "./state";

export interface TestResult {
  workspace: string;
  guardrail: string;
  test: string;
  /** Null when passed. */
  why: string | null;
}

/** Runs a file's tests against their guardrails in the file alone; exit code 1 when one fails. */
export async function runTests(api: Api, path: string, printer: Printer): Promise<number> {
  const { file } = await readPolicyFile(path);
  const { data: live, objects } = await api.call(exportPolicy);
  const results: TestResult[] = [];
  for await (const result of testResults(api, file, new Install(live, objects))) {
    results.push(result);
    printer.line(describeResult(result), result.why === null ? "green" : "red");
  }
  const failed = results.filter(({ why }) => why !== null).length;
  printer.line(
    results.length === 0 ? "The file contains no tests." : `${results.length - failed} passed, ${failed} failed.`,
    "bold",
  );
  printer.json({ passed: results.length - failed, failed, results });
  return failed > 0 ? 1 : 0;
}

/** Runs a file's tests one after the other. */
export async function* testResults(api: Api, file: PolicyFile, install: Install): AsyncGenerator<TestResult, void> {
  for (const { workspace, guardrail, test } of testsOf(file)) {
    const why = await judge(api, guardrail, test, install.findWorkspace(workspace));
    yield { workspace, guardrail: guardrail.name, test: test.name, why };
  }
}

export const describeResult = ({ guardrail, test, why }: TestResult): string =>
  `${why === null ? "✓" : "✗"} ${guardrail}: ${test}${why === null ? "" : `: ${why}`}`;

const testsOf = ({ workspaces = [] }: PolicyFile) =>
  workspaces.flatMap(({ slug, guardrails = [] }) =>
    guardrails.flatMap((guardrail) => (guardrail.tests ?? []).map((test) => ({ workspace: slug, guardrail, test }))),
  );

async function judge(
  api: Api,
  guardrail: FileGuardrail,
  { request, protocol, check_verdicts, answer, expected }: FileTest,
  workspace_id: string | undefined,
): Promise<string | null> {
  try {
    const body = {
      request,
      protocol,
      guardrails: [guardrailBody(guardrail)],
      check_verdicts: check_verdicts ?? {},
      drafts_only: true,
      answer: answer ?? undefined,
      ...(workspace_id && { workspace_id }),
    };
    const { data } = await api.call(checkPolicy, { body });
    return failureReason(
      { outcome: expected.outcome, field: expected.field ?? null, rule: expected.rule ?? null },
      data,
    );
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}
