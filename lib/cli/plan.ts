import { lintGuardrail } from "../features/lint/contract";
import { parseReference } from "../features/policy-file/canonical";
import type { FileGuardrail } from "../features/policy-file/contract";
import type { Change } from "../features/policy-file/diff";
import { weakerChanges } from "../features/policy-file/weaker";
import { replayGuardrail } from "../features/replay/contract";
import { CHANGES } from "../features/replay/vocabulary";
import { Refused, type Api } from "./api";
import { guardrailBody } from "./bodies";
import { describeWeaker, nameOf, type Printer } from "./printer";
import { missingSecrets } from "./secrets";
import { planFile, type Planned } from "./state";
import type { Environment } from "./step";

interface PlanOptions {
  prune: boolean;
  detectsDrift: boolean;
  hasImpact: boolean;
  environment: Environment;
}

const NO_CHANGES = 0;
const HAS_CHANGES = 2;

/** Prints the changes of a file; exit code 2 when there are any. */
export async function plan(
  api: Api,
  path: string,
  printer: Printer,
  { prune, detectsDrift, hasImpact, environment }: PlanOptions,
): Promise<number> {
  const planned = await planFile(api, path, { prune });
  const { changes, extra } = planned;
  for (const change of changes) printer.change(change);
  for (const identity of extra)
    printer.line(`  ${nameOf(identity)} exists only on the server; use --prune to delete it`, "dim");
  const weaker = weakerChanges(changes);
  for (const one of weaker) printer.line(`${describeWeaker(one)} (apply needs --allow-weaker)`, "yellow");
  const missing = missingSecrets(planned, environment);
  for (const { name, needs } of missing) printer.line(`! ${needs} needs the environment variable ${name}`, "red");
  const judged = guardrailsOf(planned);
  const lint = await lintAll(api, judged, printer);
  const impact = hasImpact ? await replayAll(api, judged, printer) : [];
  const count = changes.length + (detectsDrift ? extra.length : 0);
  printer.line(count === 0 ? "No changes." : `${count} ${count === 1 ? "change" : "changes"}.`, "bold");
  printer.json({ changes, extra, weaker, missing_secrets: missing.map(({ name }) => name), lint, impact });
  return count > 0 ? HAS_CHANGES : NO_CHANGES;
}

interface ChangedGuardrail {
  change: Change;
  /** The draft for lint and replay; null when its workspace doesn't exist yet. */
  draft: (ReturnType<typeof guardrailBody> & ({ id: string } | { workspace_id: string })) | null;
  /** Keys that the file assigns it to; empty for a guardrail already in force. */
  keyHashes: string[];
}

/** Returns created and changed guardrails as drafts. */
function guardrailsOf({ changes, wanted, install }: Planned): ChangedGuardrail[] {
  return changes.flatMap((change): ChangedGuardrail[] => {
    if (change.kind !== "guardrail" || change.action === "delete" || change.workspace === null) return [];
    const workspace = wanted.workspaces?.find(({ slug }) => slug === change.workspace);
    const isThis = ({ name, copy = 1 }: Pick<FileGuardrail, "name" | "copy">) =>
      name === change.name && copy === change.copy;
    const fields = workspace?.guardrails?.find(isThis);
    if (!fields) return [];
    const known = install.findGuardrail(change.workspace, change);
    const workspaceId = install.findWorkspace(change.workspace);
    const held = (workspace?.keys ?? []).filter(
      ({ guardrail }) => guardrail !== undefined && isThis(parseReference(guardrail)),
    );
    const place = known ? { id: known.id } : workspaceId ? { workspace_id: workspaceId } : null;
    return [
      {
        change,
        draft: place && { ...guardrailBody(fields), ...place },
        keyHashes: known ? [] : held.map(({ name, copy = 1 }) => install.key(change.workspace ?? "", { name, copy })),
      },
    ];
  });
}

async function lintAll(api: Api, judged: readonly ChangedGuardrail[], printer: Printer) {
  const found = [];
  for (const { change, draft } of judged) {
    if (!draft) continue;
    const { data } = await api.call(lintGuardrail, { body: { guardrail: draft } });
    // The file's assignments are applied after the guardrail is created.
    const findings = data.filter(({ code }) => code !== "assigned_to_nothing");
    for (const { severity, path, message } of findings)
      printer.line(
        `${severity === "error" ? "✗" : "!"} ${nameOf(change)}${path.length > 0 ? `, ${path.join(".")}` : ""}: ${message}`,
        severity === "error" ? "red" : "yellow",
      );
    found.push(...findings.map((finding) => ({ guardrail: change.name, workspace: change.workspace, ...finding })));
  }
  return found;
}

/** Replays recorded requests against the drafts, where supported. */
async function replayAll(api: Api, judged: readonly ChangedGuardrail[], printer: Printer) {
  const found = [];
  for (const { change, draft, keyHashes } of judged) {
    const isInForce = draft !== null && "id" in draft;
    if (!draft || (!isInForce && keyHashes.length === 0)) continue;
    try {
      const body = {
        guardrail: draft,
        limit: 1,
        ...(keyHashes.length > 0 && { key_hashes: keyHashes.slice(0, 1000) }),
      };
      const { data } = await api.call(replayGuardrail, { body });
      const counts = CHANGES.filter((name) => data[name] > 0).map(
        (name) => `${data[name]} ${name.replaceAll("_", " ")}`,
      );
      const unknown = data.not_evaluable > 0 ? `; ${data.not_evaluable} could not be evaluated` : "";
      printer.line(
        `  ${nameOf(change)} over the last ${data.selected} requests: ${counts.join(", ") || "no changes"}${unknown}`,
      );
      const { rows: _, next_cursor: __, ...impact } = data;
      found.push({ guardrail: change.name, workspace: change.workspace, ...impact });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      printer.line(`  ${nameOf(change)}: impact unknown: ${error.message}`, "dim");
    }
  }
  return found;
}
