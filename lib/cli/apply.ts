import type { Change } from "../features/policy-file/diff-policy";
import type { Api } from "./api";
import { CliError } from "./cli-error";
import { nameOf, type Printer } from "./printer";
import { missingSecrets } from "./secrets";
import { describeResult, testResults, type TestResult } from "./run-tests";
import { planFile, type Planned } from "./state";
import type { Environment } from "./step";
import { applyStep } from "./steps";

interface ApplyOptions {
  prune: boolean;
  runsTests: boolean;
  environment: Environment;
}

/** Kinds that a test of the file may need on the server. */
const BEFORE_TESTS: readonly Change["kind"][] = ["provider", "model", "workspace"];

/**
 * Applies a file's changes one by one; stops at the first failure and reports what was applied. The file's tests run after
 * changes of providers, models and workspaces, before all others.
 */
export async function apply(
  api: Api,
  path: string,
  printer: Printer,
  { prune, runsTests, environment }: ApplyOptions,
): Promise<number> {
  const planned = await planFile(api, path, { prune });
  const { changes } = planned;
  const missing = missingSecrets(planned, environment);
  if (missing.length > 0)
    throw new CliError(
      `Nothing was applied: ${missing.map(({ name, needs }) => `${needs} needs the environment variable ${name}`).join("; ")}.`,
    );
  const done: Change[] = [];
  let isTested = !runsTests;
  /** Runs the file's tests, and reports those that fail. */
  const passesTests = async () => {
    isTested = true;
    const failed = await failedTests(api, planned);
    if (failed.length === 0) return true;
    printer.failure(
      `${failed.map(describeResult).join("\n")}\n\nStopped: ${amount(failed.length, "test")} of the file failed; ${done.length} of ${changes.length} changes were applied. Fix the file and run apply again.`,
    );
    printer.json({ done, failed: null, failed_tests: failed, not_done: changes.slice(done.length) });
    return false;
  };
  for (const change of changes) {
    if (!isTested && !BEFORE_TESTS.includes(change.kind) && !(await passesTests())) return 1;
    try {
      await applyStep(api, change, planned, environment);
    } catch (error) {
      const notDone = changes.slice(done.length + 1);
      const message = error instanceof Error ? error.message : String(error);
      printer.failure(
        `✗ ${nameOf(change)}: ${message}\n\nStopped: ${done.length} of ${changes.length} changes were applied.${notDone.length > 0 ? ` Not attempted: ${notDone.map(nameOf).join(", ")}.` : ""} Fix the cause and run apply again; applied changes are kept.`,
      );
      printer.json({ done, failed: { ...change, message }, not_done: notDone });
      return 1;
    }
    done.push(change);
    printer.change(change);
  }
  if (!isTested && changes.length > 0 && !(await passesTests())) return 1;
  printer.line(changes.length === 0 ? "No changes." : `Applied ${amount(changes.length, "change")}.`, "bold");
  printer.json({ done, failed: null, not_done: [] });
  return 0;
}

async function failedTests(api: Api, { wanted, install }: Planned): Promise<TestResult[]> {
  const failed: TestResult[] = [];
  for await (const result of testResults(api, wanted, install)) if (result.why !== null) failed.push(result);
  return failed;
}

const amount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
