import { lintGuardrail } from "../features/lint/contract";
import { parseReference } from "../features/policy-file/canonical-policy";
import type { FileGuardrail } from "../features/policy-file/contract";
import type { Change } from "../features/policy-file/diff-policy";
import { replayGuardrail } from "../features/replay/contract";
import { CHANGES } from "../features/replay/vocabulary";
import { Refused, type Api } from "./api";
import { guardrailBody } from "./bodies";
import { nameOf, type Printer } from "./printer";
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

/** What a file would change; 2 when that is anything. */
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
    printer.line(`  ${nameOf(identity)} is only on the server; --prune takes it away`, "dim");
  const missing = missingSecrets(planned, environment);
  for (const { name, needs } of missing) printer.line(`! ${needs} needs the environment variable ${name}`, "red");
  const judged = guardrailsOf(planned);
  const lint = await lintAll(api, judged, printer);
  const impact = hasImpact ? await replayAll(api, judged, printer) : [];
  const count = changes.length + (detectsDrift ? extra.length : 0);
  printer.line(count === 0 ? "No changes." : `${count} ${count === 1 ? "change" : "changes"}.`, "bold");
  printer.json({ changes, extra, missing_secrets: missing.map(({ name }) => name), lint, impact });
  return count > 0 ? HAS_CHANGES : NO_CHANGES;
}

interface ChangedGuardrail {
  change: Change;
  /** As the lint and the replay take it; null when its workspace isn't there yet. */
  draft: (ReturnType<typeof guardrailBody> & ({ id: string } | { workspace_id: string })) | null;
  /** Keys that the file gives it to; empty for one that is in force already. */
  keyHashes: string[];
}

/** Guardrails that are made or changed, as drafts. */
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
    // What the file assigns is assigned only after it is made.
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

/** What the drafts would have done to recorded requests, where the server can say so. */
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
      const unknown = data.not_evaluable > 0 ? `; ${data.not_evaluable} could not be judged` : "";
      printer.line(
        `  ${nameOf(change)} over the last ${data.selected} requests: ${counts.join(", ") || "nothing changes"}${unknown}`,
      );
      const { rows: _, next_cursor: __, ...impact } = data;
      found.push({ guardrail: change.name, workspace: change.workspace, ...impact });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      printer.line(`  ${nameOf(change)}: the impact is not known, the server says: ${error.message}`, "dim");
    }
  }
  return found;
}
