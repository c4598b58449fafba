import type { Change } from "../features/policy-file/diff-policy";
import type { Api } from "./api";
import { CliError } from "./cli-error";
import { nameOf, type Printer } from "./printer";
import { missingSecrets } from "./secrets";
import { planFile } from "./state";
import type { Environment } from "./step";
import { applyStep } from "./steps";

interface ApplyOptions {
  prune: boolean;
  environment: Environment;
}

/** Applies a file's changes one by one; stops at the first failure and reports what was applied. */
export async function apply(
  api: Api,
  path: string,
  printer: Printer,
  { prune, environment }: ApplyOptions,
): Promise<number> {
  const planned = await planFile(api, path, { prune });
  const { changes } = planned;
  const missing = missingSecrets(planned, environment);
  if (missing.length > 0)
    throw new CliError(
      `Nothing was applied: ${missing.map(({ name, needs }) => `${needs} needs the environment variable ${name}`).join("; ")}.`,
    );
  const done: Change[] = [];
  for (const change of changes) {
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
  printer.line(
    changes.length === 0 ? "No changes." : `Applied ${changes.length} ${changes.length === 1 ? "change" : "changes"}.`,
    "bold",
  );
  printer.json({ done, failed: null, not_done: [] });
  return 0;
}
