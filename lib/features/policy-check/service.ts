import "server-only";
import type { Context } from "../../platform/context";
import { movedCheckSecrets } from "../../records/guardrails/rules";
import { layerSecrets, toGuardrail } from "../../records/guardrails/rows";
import { findGuardrail } from "../../records/guardrails/store";
import { ApiError, invalid, type Issue } from "../../platform/api-error";
import { inspected } from "../../platform/http/inspected";
import { within } from "../../platform/http/issues";
import type { Input, Result } from "../../platform/http/operation";
import { checkIssues } from "./rules";
import type * as contract from "./contract";
import type { CheckPolicyBody } from "./contract";
import { assertMayCallChecks, draftLayer } from "../../records/guardrails/draft";
import { evaluate } from "./evaluate-service";
import type { Layer } from "../../engine/policy/layers";
import { loadLayers } from "../../records/guardrails/layers-store";
import { findSubject, type Subject } from "./subject-service";

/** Checks a request against the policy without sending, charging or recording it. */
export const check = inspected(
  (body, { zdrVendors }) => checkIssues(body, zdrVendors),
  async (
    context: Context,
    { body }: Input<typeof contract.checkPolicy>,
  ): Promise<Result<typeof contract.checkPolicy>> => {
    const subject = await findSubject(context, body);
    const judging = body.check_verdicts && { kind: "given" as const, verdicts: body.check_verdicts };
    const layers = layersOf(context, subject, body);
    return { data: await evaluate(context, body, subject, layers, judging, body.planned).catch(blameRequest) };
  },
);

async function layersOf(
  context: Context,
  subject: Subject,
  { guardrails = [], drafts_only, planned, check_verdicts }: CheckPolicyBody,
): Promise<Layer[]> {
  const { db, settings } = context;
  const draft = async ({
    id,
    workspace_id: _,
    ...fields
  }: NonNullable<CheckPolicyBody["guardrails"]>[number]): Promise<Layer> => {
    const row = id === undefined ? null : await findGuardrail(db, context, id);
    const stored = row ? toGuardrail(row, settings.zdrVendors) : undefined;
    if (!check_verdicts) assertMayCallChecks(context, subject.workspaceId, fields, stored);
    if (!row || !stored) return draftLayer(fields, settings.zdrVendors);
    const issues = movedCheckSecrets(stored.external_checks, fields.external_checks);
    if (issues.length > 0) throw invalid(within(["guardrails"], issues));
    return { ...draftLayer(fields, settings.zdrVendors, stored), ...layerSecrets(row) };
  };
  const [inForce, drafts, stored] = await Promise.all([
    drafts_only ? [] : loadLayers(db, subject, settings.zdrVendors, context.now),
    Promise.all(guardrails.map(draft)),
    db.workspace.findUniqueOrThrow({ where: { id: subject.workspaceId }, select: { regions: true } }),
  ]);
  const { regions = stored.regions } = planned ?? {};
  return [...inForce, ...drafts.map((layer) => (regions.length > 0 ? { ...layer, regions } : layer))];
}

/** Rethrows an error of the decision with its path below `request`. */
function blameRequest(error: unknown): never {
  const issues =
    error instanceof ApiError && error.status === 400 ? (error.metadata?.["issues"] as Issue[] | undefined) : undefined;
  throw issues ? invalid(within(["request"], issues)) : error;
}
