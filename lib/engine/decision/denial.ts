import { contentBlock, type FilterFinding } from "../filters/findings";
import type { ScanFailure } from "../filters/scan-failure";
import { ApiError, invalid, type Issue } from "../../platform/api-error";
import { UNPRICED_FIELD } from "../policy/unpriced-models";
import { PROTOCOL_FIELD, type Exclusion } from "../routing/plan";

/** The reason a request isn't sent to any upstream. */
export interface Denial {
  /**
   * `unscanned`: the content couldn't be scanned. `check`: a check rejected the request or gave no verdict, possibly
   * because budgets denied its judge. Neither identifies the part of the content at fault.
   */
  kind: "content" | "unscanned" | "check" | "no_endpoint" | "unpriced" | "budget";
  /** `blocked` for a guardrail's decision; a model without endpoints, or overload, is `failed`. */
  status: "blocked" | "failed" | "cancelled";
  error: ApiError;
}

/** True when any part of the request's content may be at fault. */
export const hidesContent = (denial: Denial | null): boolean =>
  denial?.kind === "unscanned" || denial?.kind === "check";

/** Returns a 403 naming the filters that block; null when none does. */
export function blockedContent(findings: readonly FilterFinding[]): Denial | null {
  const error = contentBlock(findings);
  return error && { kind: "content", status: "blocked", error };
}

const STATUS_OF_FAILURE = { timeout: 403, matches: 403, size: 403, busy: 529, crash: 500 } as const satisfies Record<
  ScanFailure["reason"],
  number
>;

/** Denies content that couldn't be scanned: detection fails closed. */
export const unscannedContent = ({ reason, message }: ScanFailure): Denial => ({
  kind: "unscanned",
  // Overload isn't a verdict about the content.
  status: reason === "busy" ? "failed" : "blocked",
  error: new ApiError(
    STATUS_OF_FAILURE[reason],
    message,
    { reason: `content_filter_${reason}` },
    reason === "busy" ? { "retry-after": "1" } : undefined,
  ),
});

/** Error for a request whose client has disconnected; it is never delivered. */
export const clientDisconnected = () => new ApiError(499, "The client closed the request");

/** The denial of a request whose client disconnected during the scan. */
export const abandonedScan = (): Denial => ({ kind: "unscanned", status: "cancelled", error: clientDisconnected() });

/** Places of limits that aren't those of a guardrail. */
const LIMITED: Partial<Record<Exclusion["excluded_by"][number]["scope"], string>> = {
  key: "this key",
  workspace: "the workspace",
  organization: "the organization",
};

/** Lists the reasons by their display names: `allowed_models of the guardrail "Production" (key)`. */
function describe(excluded: readonly Exclusion[]): string {
  const reasons = excluded.flatMap(({ excluded_by }) =>
    excluded_by.map(({ scope, guardrail_id, guardrail_name, field }) =>
      scope === "request"
        ? field.startsWith(PROTOCOL_FIELD)
          ? `${field.slice(PROTOCOL_FIELD.length)} of the request, which the upstream's protocol doesn't support`
          : `provider.${field} of the request`
        : guardrail_id === null && LIMITED[scope] !== undefined
          ? `${field} of ${scope === "key" ? "the key's own limit" : LIMITED[scope]}`
          : `${field} of the guardrail "${guardrail_name ?? "draft"}" (${scope})`,
    ),
  );
  return [...new Set(reasons)].join("; ");
}

/**
 * Returns a 403 that names the limits and the models excluded only by their unknown price; null when there are none
 * (docs/budgets.md#models-without-a-known-price).
 */
export function unpriced(excluded: readonly Exclusion[]): Denial | null {
  const refused = excluded.filter(({ excluded_by }) => excluded_by.every(({ field }) => field === UNPRICED_FIELD));
  if (refused.length === 0) return null;
  const models = [...new Set(refused.map(({ model }) => model))];
  const limits = refused.flatMap(({ excluded_by }) =>
    excluded_by.map(({ scope, guardrail_id, guardrail_name }) =>
      guardrail_id === null && LIMITED[scope] !== undefined
        ? LIMITED[scope]
        : `the guardrail "${guardrail_name ?? "draft"}" (${scope})`,
    ),
  );
  const paths = models.map((model) => `PATCH /v1/models/${encodeURIComponent(model)}`).join(", ");
  return {
    kind: "unpriced",
    status: "blocked",
    error: new ApiError(
      403,
      `The price of ${models.join(", ")} is unknown, and the spending limit of ${[...new Set(limits)].join(", ")} can't count it. ` +
        `An admin can set the price of the model's endpoints (${paths}), or allow unpriced models in the workspace (allow_unpriced_models)`,
      { reason: UNPRICED_FIELD, models, excluded },
    ),
  };
}

/** A 404 whose `metadata.excluded` names the fields that excluded each endpoint (docs/semantics.md#denials). */
export function noEndpoint(
  models: readonly string[],
  excluded: readonly Exclusion[],
  unconvertible: readonly Issue[] = [],
): Denial {
  const isOfProtocol = ({ excluded_by }: Exclusion) =>
    excluded_by.every(({ field }) => field.startsWith(PROTOCOL_FIELD));
  if (unconvertible.length > 0 && excluded.some(isOfProtocol))
    return { kind: "no_endpoint", status: "failed", error: invalid(unconvertible) };
  const reason = excluded.length > 0 ? `: excluded by ${describe(excluded)}` : "";
  return {
    kind: "no_endpoint",
    status: excluded.some(({ excluded_by }) => excluded_by.some(({ scope }) => scope !== "request"))
      ? "blocked"
      : "failed",
    error: new ApiError(404, `No endpoints found for ${models.join(", ")}${reason}`, {
      requested_models: models,
      excluded,
    }),
  };
}
