import { diff, type Change } from "../features/policy-file/diff";
import { exportPolicy } from "../features/policy-file/contract";
import { weakerChanges } from "../features/policy-file/weaker";
import type { Api } from "./api";
import { CliError } from "./cli-error";
import { describeWeaker, nameOf, type Printer } from "./printer";
import { missingSecrets } from "./secrets";
import { describeResult, testResults, type TestResult } from "./run-tests";
import { Install, planFile, type Planned } from "./state";
import type { Environment } from "./step";
import { applyStep } from "./steps";

interface ApplyOptions {
  prune: boolean;
  runsTests: boolean;
  allowsWeaker: boolean;
  environment: Environment;
}

/**
 * Applies a file's changes, all or nothing. Before anything is written, secrets are required, changes that reduce protection must be
 * allowed, and the file's tests run against the planned policy. If a change fails, those before it are undone.
 */
export async function apply(
  api: Api,
  path: string,
  printer: Printer,
  { prune, runsTests, allowsWeaker, environment }: ApplyOptions,
): Promise<number> {
  const planned = await planFile(api, path, { prune });
  const { changes } = planned;
  const missing = missingSecrets(planned, environment);
  if (missing.length > 0)
    throw new CliError(
      `Nothing was applied: ${missing.map(({ name, needs }) => `${needs} needs the environment variable ${name}`).join("; ")}.`,
    );
  const weaker = weakerChanges(changes);
  if (weaker.length > 0 && !allowsWeaker)
    throw new CliError(
      `Nothing was applied: these changes reduce protection. Run apply with --allow-weaker to apply them.\n${weaker.map(describeWeaker).join("\n")}`,
      { weaker },
    );
  const failedTests = runsTests && changes.length > 0 ? await failedTestsOf(api, planned) : [];
  if (failedTests.length > 0) {
    printer.failure(
      `${failedTests.map(describeResult).join("\n")}\n\nNothing was applied: ${amount(failedTests.length, "test")} of the file failed. Fix the file and run apply again.`,
    );
    printer.json({ done: [], failed: null, failed_tests: failedTests, not_done: changes });
    return 1;
  }
  const done: Change[] = [];
  for (const change of changes) {
    try {
      await applyStep(api, change, planned, environment);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const left = await undo(api, planned, [...done, change], environment);
      printer.failure(`✗ ${nameOf(change)}: ${message}\n\n${describeUndone(left)} Fix the cause and run apply again.`);
      const isKept =
        ({ change: { kind, workspace, name, copy } }: Kept) =>
        (one: Change) =>
          one.kind === kind && one.workspace === workspace && one.name === name && one.copy === copy;
      const kept = done.filter((one) => left.some((each) => isKept(each)(one)));
      printer.json({
        done: kept,
        failed: { ...change, message },
        not_undone: left.map(({ change: undoing, reason }) => ({ ...undoing, reason })),
        not_done: changes.filter((one) => one !== change && !kept.includes(one)),
      });
      return 1;
    }
    done.push(change);
  }
  for (const change of done) printer.change(change);
  printer.line(changes.length === 0 ? "No changes." : `Applied ${amount(changes.length, "change")}.`, "bold");
  printer.json({ done, failed: null, not_done: [] });
  return 0;
}

async function failedTestsOf(api: Api, { wanted, install, changes }: Planned): Promise<TestResult[]> {
  const failed: TestResult[] = [];
  for await (const result of testResults(api, wanted, install, changes)) if (result.why !== null) failed.push(result);
  return failed;
}

/** A change that couldn't be undone. */
interface Kept {
  change: Change;
  reason: string;
}

const identityOf = ({ kind, workspace, name, copy }: Change) => JSON.stringify([kind, workspace, name, copy]);

/** Restores the objects of the attempted changes as they were; others may have changed meanwhile. Returns what remains. */
async function undo(
  api: Api,
  { live }: Planned,
  attempted: readonly Change[],
  environment: Environment,
): Promise<Kept[]> {
  const { data: current, objects } = await api.call(exportPolicy);
  const install = new Install(current, objects);
  const isAttempted = new Set(attempted.map(identityOf));
  const { changes } = diff(current, live, { prune: true });
  const undoing = { wanted: live, install };
  const kept: Kept[] = [];
  for (const change of changes.filter((one) => isAttempted.has(identityOf(one)))) {
    const [unset] = missingSecrets({ changes: [change], wanted: live }, environment);
    try {
      if (unset) throw new CliError(`needs the environment variable ${unset.name}`);
      await applyStep(api, change, undoing, environment);
    } catch (error) {
      kept.push({ change, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  const exists = new Set((current.workspaces ?? []).map(({ slug }) => slug));
  for (const change of attempted)
    if (change.kind === "workspace" && change.action === "create" && exists.has(change.name))
      kept.push({ change, reason: "workspaces aren't deleted" });
  return kept;
}

const describeUndone = (kept: readonly Kept[]): string =>
  kept.length === 0
    ? "Nothing was applied: the changes before it were undone."
    : `The changes before it were undone, except: ${kept.map(({ change, reason }) => `${nameOf(change)} (${reason})`).join("; ")}.`;

const amount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
