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

/** Makes the install what the file says, change by change; stops at the first that fails and says what was done. */
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
      `Nothing was done: ${missing.map(({ name, needs }) => `${needs} needs the environment variable ${name}`).join("; ")}.`,
    );
  const done: Change[] = [];
  for (const change of changes) {
    try {
      await applyStep(api, change, planned, environment);
    } catch (error) {
      const notDone = changes.slice(done.length + 1);
      const message = error instanceof Error ? error.message : String(error);
      printer.failure(
        `✗ ${nameOf(change)}: ${message}\n\nStopped: ${done.length} of ${changes.length} changes were made.${notDone.length > 0 ? ` Not tried: ${notDone.map(nameOf).join(", ")}.` : ""} Apply again when the cause is gone: what is made stays made.`,
      );
      printer.json({ done, failed: { ...change, message }, not_done: notDone });
      return 1;
    }
    done.push(change);
    printer.change(change);
  }
  printer.line(
    changes.length === 0 ? "No changes." : `Done: ${changes.length} ${changes.length === 1 ? "change" : "changes"}.`,
    "bold",
  );
  printer.json({ done, failed: null, not_done: [] });
  return 0;
}
