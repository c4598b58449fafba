import { lacksPermission } from "../../platform/api-error";
import type { Context } from "../../platform/context";
import { includesWorkspace, workspacesWith } from "../../platform/grants";
import { UNRESTRICTED_FIELDS } from "../../engine/policy/contract";
import type { GuardrailDraft } from "./contract";
import { guardrailChanges } from "./rules";
import type { Layer } from "../../engine/policy/layers";

/** A guardrail without restrictions. */
export const UNRESTRICTED: Layer["guardrail"] = {
  id: null,
  revision: null,
  name: "Draft",
  ...UNRESTRICTED_FIELDS,
};

/**
 * Creates the layer of a draft, normalized like `POST /guardrails`, with its fields on top of `stored`. Contains the
 * secrets that the draft has for its external checks.
 */
export function draftLayer(
  fields: GuardrailDraft,
  vendors: readonly [string, string, string],
  stored: Layer["guardrail"] = UNRESTRICTED,
): Layer {
  const given = Object.entries<unknown>(guardrailChanges(fields, vendors)).filter(([, value]) => value !== undefined);
  const guardrail = { ...stored, ...(Object.fromEntries(given) as Partial<Layer["guardrail"]>) };
  return {
    scope: "draft",
    guardrail: fields.external_checks ? { ...guardrail, external_checks: fields.external_checks } : guardrail,
  };
}

/** Throws a 403 unless the caller may have a draft's checks called: addresses that aren't stored require guardrails:write. */
export function assertMayCallChecks(
  { caller }: Pick<Context, "caller">,
  workspaceId: string,
  { external_checks: checks }: GuardrailDraft,
  stored: Layer["guardrail"] = UNRESTRICTED,
): void {
  const known = stored.external_checks?.map(({ url }) => url) ?? [];
  if ((checks ?? []).every(({ url }) => known.includes(url))) return;
  if (!includesWorkspace(workspacesWith(caller, "guardrails:write"), workspaceId))
    throw lacksPermission("guardrails:write", " that calling a draft's external checks requires");
}
