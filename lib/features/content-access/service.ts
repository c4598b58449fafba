import "server-only";
import { recordChange, recordRead } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { withStatementLimit } from "../../platform/database/statement-limit";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { notFound } from "../../platform/api-error";
import type { Input, Result } from "../../platform/http/operation";
import { loadLayers } from "../../records/guardrails/layers-store";
import { toContent } from "./content";
import type { deleteGenerationContent, getGenerationContent } from "./contract";
import { PolicyFacts } from "../../gateway/record/policy-facts";
import { loadContent, type ContentRow } from "../../records/contents/objects-store";
import { scanLimits } from "../../gateway/filters/scan-service";
import { maskContent } from "./masking-service";
import { blockedMatches, maskedKinds } from "./masking";
import { byId, contentScope } from "../../records/generations/service";

/** Time limit of a content query, which tells a slow store from a broken one. */
const STATEMENT_LIMIT_MS = 5_000;
const DAY_MS = 24 * 60 * 60_000;

/** Audits the read in the same transaction, before anything is returned. */
export async function get(
  context: Context,
  { query }: Input<typeof getGenerationContent>,
): Promise<Result<typeof getGenerationContent>> {
  const isRevealed = query.reveal === "true";
  const { stored, kinds, blocked, regions } = await withStatementLimit(context.db, STATEMENT_LIMIT_MS, async (db) => {
    const row = await findWithContent(db, context, query.id, "contents:read");
    const stored = storedContent(row, context.now);
    const blocked = row.content?.blockedInput ? blockedMatches(row.decisions) : [];
    const kinds = maskedKinds(row.decisions, await loadLayers(db, row, context.settings.zdrVendors, context.now));
    const hidden = [...new Set([...kinds, ...blocked.map(({ rule }) => rule)])];
    await recordRead(db, context, {
      action: isRevealed ? "generation.reveal_content" : "generation.read_content",
      target: { type: "generation", id: row.id },
      workspaceId: row.workspaceId,
      after: isRevealed ? { reason: query.reason, revealed: hidden } : { masked: hidden },
    });
    return { stored, kinds, blocked, regions: row.workspace.regions };
  });
  const loaded = await loadContent(context, context.caller.organizationId, stored);
  if (!loaded) throw notFound({ reason: "content_not_stored", cause: "object_missing" });
  const content = toContent(loaded, { isRevealed });
  if (isRevealed) return { data: content };
  const masked = await maskContent(scanLimits(context), content, kinds, regions);
  return { data: blocked.length > 0 ? { ...masked, masked: [...blocked, ...(masked.masked ?? [])] } : masked };
}

type RowWithContent = Awaited<ReturnType<typeof findWithContent>>;

/** Returns the row of a stored content, or throws a 404 with the reason it is missing. */
function storedContent(
  { attempts, content, contentDeletedAt, contentStored, createdAt, policyFacts, workspace }: RowWithContent,
  now: Date,
): ContentRow {
  const { contentRetentionDays: days } = workspace;
  const isPastRetention = days !== null && createdAt.getTime() < now.getTime() - days * DAY_MS;
  if (contentDeletedAt || (contentStored && (isPastRetention || !content)))
    throw notFound({ reason: "content_expired" });
  if (content) return content;
  const isUnscanned = (attempts as unknown[]).length === 0 && PolicyFacts.safeParse(policyFacts).data?.matched === null;
  throw notFound({ reason: "content_not_stored", cause: isUnscanned ? "not_scanned" : "content_logging_off" });
}

/** Marks the content as deleted; the record is retained. */
export async function remove(
  context: Context,
  { query }: Input<typeof deleteGenerationContent>,
): Promise<Result<typeof deleteGenerationContent>> {
  return inTransaction(context.db, async (db) => {
    const { id, createdAt, workspaceId, content } = await findWithContent(db, context, query.id, "contents:delete");
    const { count } = await db.generationContent.deleteMany({ where: { createdAt, generationId: id } });
    if (!content || count === 0) throw notFound({ reason: "content_not_stored" });
    await db.generation.update({
      where: { organizationId_createdAt_id: { organizationId: context.caller.organizationId, createdAt, id } },
      data: { contentDeletedAt: context.now },
    });
    await recordChange(db, context, {
      action: "generation.delete_content",
      target: { type: "generation", id },
      workspaceId,
    });
    return { deleted: true as const };
  });
}

async function findWithContent(
  db: Database,
  context: Context,
  id: string,
  permission: "contents:read" | "contents:delete",
) {
  const row = await db.generation.findFirst({
    where: byId(context, id, contentScope(context, permission)),
    include: {
      content: true,
      decisions: { select: { field: true, rule: true, action: true, direction: true, spans: true } },
      workspace: { select: { contentRetentionDays: true, regions: true } },
    },
  });
  if (!row) throw notFound();
  return row;
}
