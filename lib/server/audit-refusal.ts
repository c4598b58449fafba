import "server-only";
import { ApiError } from "../platform/api-error";
import { actorOf } from "../platform/audit/store";
import { recordRefusal } from "../platform/audit/refusals-store";
import type { ActorContext, PublicContext } from "../platform/context";
import { hasKey } from "./given-key";
import type { ApiRequest } from "../platform/http/api-request";
import type { Operation } from "../platform/http/operation";

/**
 * Audits a rejected key and a denied operation. A block by policy is a generation with its decisions, and a wrong
 * password is recorded by the service that knows the account.
 */
export function auditRefusal(
  context: PublicContext | ActorContext,
  { id, access }: Operation,
  request: ApiRequest,
  error: unknown,
): void {
  if (!(error instanceof ApiError)) return;
  const caller = "caller" in context ? context.caller : null;
  if (error.status === 401 && !caller && hasKey(request.headers)) {
    const target = { type: access === "scim" ? "scim_token" : "key", id: "unknown", name: null };
    recordRefusal(context, { action: "key.reject", organizationId: null, actor: null, target });
  }
  const isPolicy =
    (access === "inference" && caller?.kind === "key" && caller.keyKind === "inference") ||
    context.headers.has("x-generation-id");
  if (error.status !== 403 || isPolicy || error.metadata?.["reason"] === "reauthentication_required") return;
  recordRefusal(context, {
    action: "access.deny",
    organizationId: caller?.organizationId ?? null,
    actor: caller && actorOf(caller),
    target: { type: "operation", id, name: null },
  });
}
