import "server-only";
import type { Layer } from "../engine/policy/layers";
import { invalid, lacksPermission } from "../platform/api-error";
import { recordRead } from "../platform/audit/store";
import type { Context } from "../platform/context";
import type { EventStream } from "../platform/http/event-stream";
import type { Input, Result } from "../platform/http/operation";
import { includesWorkspace, workspacesWith } from "../platform/grants";
import { inspected } from "../platform/http/inspected";
import { within } from "../platform/http/issues";
import { limitRate } from "../platform/http/rate-limiter";
import { assertMayCallChecks, draftLayer } from "../records/guardrails/draft";
import { layerOf } from "../records/guardrails/layers-store";
import { draftIssues, movedCheckSecrets } from "../records/guardrails/rules";
import { layerSecrets, toGuardrail } from "../records/guardrails/rows";
import { findGuardrail } from "../records/guardrails/store";
import { findCallerByHash } from "../records/keys/credentials-store";
import { findKey } from "../records/keys/service";
import { sessionOf } from "../records/session/account-service";
import type * as contract from "./playground-contract";
import type { PlaygroundBody } from "./playground-contract";
import { createChatCompletion } from "./service";

/** Recorded as the application of the requests. */
const APP_TITLE = "Signalbox Playground";

/**
 * Sends a chat completion for a signed-in member under a key that they may change. The key's policy, rate limit and
 * budgets apply, and the record names the member.
 */
export const send = inspected(
  ({ draft }, { zdrVendors }) => (draft === undefined ? [] : draftIssues(["draft"], draft, zdrVendors)),
  async (
    context: Context,
    { body: { key_hash, guardrail_id, draft, request } }: Input<typeof contract.sendFromPlayground>,
  ): Promise<Result<typeof contract.sendFromPlayground> | EventStream> => {
    const { db, now, settings, client, headers } = context;
    const { userId } = sessionOf(context);
    const key = await findKey(db, context, key_hash, "keys:write");
    const caller = key.kind === "inference" ? await findCallerByHash(db, key.hash, now) : null;
    if (!caller) throw unusable(key.kind === "management" ? "is a management key" : "is disabled or has expired");
    const extra = await additionalLayers(context, { guardrail_id, draft }, caller.workspaceId);
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
      extra.length > 0 ? { withLayers: (layers) => withNew(layers, extra) } : {},
    );
  },
);

const unusable = (message: string) => refused(["key_hash"], message);

const isDraft = ({ scope }: Layer) => scope === "draft";

const withNew = (layers: readonly Layer[], extra: readonly Layer[]): readonly Layer[] => [
  ...layers,
  ...extra.filter((one) => isDraft(one) || layers.every(({ guardrail }) => guardrail.id !== one.guardrail.id)),
];

type Additional = Pick<PlaygroundBody, "guardrail_id" | "draft">;

/**
 * Returns the layer of a stored guardrail as if it were assigned to the key, so that the record names its revision, and
 * the layer of a draft.
 */
async function additionalLayers(context: Context, given: Additional, workspaceId: string): Promise<Layer[]> {
  const { db, caller, settings } = context;
  const { guardrail_id, draft } = given;
  if (guardrail_id === undefined && draft === undefined) return [];
  if (!includesWorkspace(workspacesWith(caller, "guardrails:read"), workspaceId))
    throw lacksPermission("guardrails:read");
  const { regions } = await db.workspace.findUniqueOrThrow({ where: { id: workspaceId }, select: { regions: true } });
  const stored = async (id: string, path: string[]) => {
    const row = await findGuardrail(db, context, id);
    if (row.workspaceId !== workspaceId) throw refused(path, "must belong to the key's workspace");
    return row;
  };
  return [
    ...(guardrail_id === undefined
      ? []
      : [layerOf(await stored(guardrail_id, ["guardrail_id"]), "key", regions, settings.zdrVendors)]),
    ...(draft === undefined ? [] : [await draftedLayer(context, draft, { id: workspaceId, regions }, stored)]),
  ];
}

/** Returns a draft's layer without a budget, since spending isn't counted under a draft. */
async function draftedLayer(
  context: Context,
  draft: NonNullable<PlaygroundBody["draft"]>,
  workspace: { id: string; regions: readonly string[] },
  findStored: (id: string, path: string[]) => Promise<Awaited<ReturnType<typeof findGuardrail>>>,
): Promise<Layer> {
  const { zdrVendors: vendors } = context.settings;
  const { regions } = workspace;
  const { id, workspace_id: _, ...fields } = draft;
  const row = id === undefined ? null : await findStored(id, ["draft", "id"]);
  const guardrail = row ? toGuardrail(row, vendors) : undefined;
  const issues = within(["draft"], movedCheckSecrets(guardrail?.external_checks ?? null, fields.external_checks));
  if (issues.length > 0) throw invalid(issues);
  assertMayCallChecks(context, workspace.id, fields, guardrail);
  const layer = draftLayer({ ...fields, limit_usd: null }, vendors, guardrail);
  return { ...layer, ...(regions.length > 0 && { regions }), ...(row && layerSecrets(row)) };
}

const refused = (path: string[], message: string) => invalid([{ path, message, code: "custom" }]);
