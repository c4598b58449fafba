import "server-only";
import type { Layer } from "../engine/policy/layers";
import { forbidden, invalid } from "../platform/api-error";
import { recordRead } from "../platform/audit/store";
import { isOrdinaryMember, type Context } from "../platform/context";
import type { EventStream } from "../platform/http/event-stream";
import type { Input, Result } from "../platform/http/operation";
import { limitRate } from "../platform/http/rate-limiter";
import { layerOf } from "../records/guardrails/layers-store";
import { findGuardrail } from "../records/guardrails/store";
import { findCallerByHash } from "../records/keys/credentials-store";
import { findKey } from "../records/keys/service";
import { sessionOf } from "../records/session/account-service";
import type * as contract from "./playground-contract";
import { createChatCompletion } from "./service";

/** Recorded as the application of the requests. */
const APP_TITLE = "Signalbox Playground";

/**
 * Sends a chat completion for a signed-in member under a key that they may see: the key's policy, rate limit and budgets
 * apply, and the record names the member.
 */
export async function send(
  context: Context,
  { body: { key_hash, guardrail_id, request } }: Input<typeof contract.sendFromPlayground>,
): Promise<Result<typeof contract.sendFromPlayground> | EventStream> {
  const { db, now, settings, client, headers } = context;
  const { userId } = sessionOf(context);
  const key = await findKey(db, context, key_hash);
  const caller = key.kind === "inference" ? await findCallerByHash(db, key.hash, now) : null;
  if (!caller) throw unusable(key.kind === "management" ? "is a management key" : "is disabled or has expired");
  const extra = guardrail_id === undefined ? null : await additionalLayer(context, guardrail_id, caller.workspaceId);
  await limitRate(db, caller.keyId, settings.rateLimitPerMinute, now, headers);
  await recordRead(db, context, {
    action: "key.use",
    target: { type: "key", id: key.id, name: key.name },
    workspaceId: key.workspaceId,
  });
  const own: Context = {
    ...context,
    caller: { ...caller, sentByUserId: userId },
    client: { ...client, appTitle: APP_TITLE },
  };
  return createChatCompletion(
    own,
    { params: {}, query: {}, body: request },
    extra ? { withLayers: (layers) => withLayer(layers, extra) } : {},
  );
}

const unusable = (message: string) => invalid([{ path: ["key_hash"], message, code: "custom" }]);

const withLayer = (layers: readonly Layer[], extra: Layer): readonly Layer[] =>
  layers.some(({ guardrail }) => guardrail.id === extra.guardrail.id) ? layers : [...layers, extra];

/** Returns a guardrail's layer as if it were assigned to the key, so that the record names its revision. */
async function additionalLayer(context: Context, id: string, workspaceId: string): Promise<Layer> {
  const { db, caller, settings } = context;
  if (isOrdinaryMember(caller)) throw forbidden("Only admins can try a guardrail in addition");
  const row = await findGuardrail(db, context, id);
  if (row.workspaceId !== workspaceId)
    throw invalid([{ path: ["guardrail_id"], message: "must belong to the key's workspace", code: "custom" }]);
  const { regions } = await db.workspace.findUniqueOrThrow({ where: { id: workspaceId }, select: { regions: true } });
  return layerOf(row, "key", regions, settings.zdrVendors);
}
