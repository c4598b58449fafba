import "server-only";
import { ApiError } from "../../platform/api-error";
import type { Database } from "../../platform/database/transaction";
import type { Env } from "../../platform/env";
import type { ScanLimits } from "../../gateway/filters/scan-service";
import { loadContents } from "../../records/contents/objects-store";
import { toGeneration, withRelations } from "../../records/generations/rows";
import { loadLayers } from "../../records/guardrails/layers-store";
import { toContent } from "../content-access/content";
import type { GenerationContent } from "../content-access/contract";
import { maskedKinds } from "../content-access/masking";
import { maskContent } from "../content-access/masking-service";
import type { ExportedGeneration } from "./otlp";
import type { ExportContent } from "./vocabulary";

const DAY_MS = 24 * 60 * 60_000;

interface Place {
  created_at: Date;
  id: string;
}

export interface GenerationsContext {
  db: Database;
  settings: Env;
  now: Date;
  signal: AbortSignal;
}

/** Loads generations in the order of their places, with contents if the destination receives them. */
export async function exportedGenerations(
  context: GenerationsContext,
  organizationId: string,
  places: readonly Place[],
  content: ExportContent,
): Promise<ExportedGeneration[]> {
  const rows = await context.db.generation.findMany({
    where: { organizationId, OR: places.map(({ created_at, id }) => ({ createdAt: created_at, id })) },
    include: {
      ...withRelations,
      content: content !== "none",
      workspace: { select: { contentRetentionDays: true, regions: true } },
    },
  });
  const readable = rows.filter(
    ({ createdAt, contentDeletedAt, workspace: { contentRetentionDays: days } }) =>
      content !== "none" &&
      contentDeletedAt === null &&
      (days === null || createdAt.getTime() >= context.now.getTime() - days * DAY_MS),
  );
  const stored = readable.flatMap((row) => (row.content ? [{ row, content: row.content }] : []));
  const loaded = await loadContents(
    context,
    organizationId,
    stored.map((one) => one.content),
  );
  const contents = new Map<string, GenerationContent>();
  for (const [index, { row }] of stored.entries()) {
    const found = loaded[index];
    const shown = found && (await masked(context, row, toContent(found, { isRevealed: false }), content));
    if (shown) contents.set(row.id, shown);
  }
  const byId = new Map(rows.map((row) => [row.id, row]));
  return places.flatMap(({ id }) => {
    const row = byId.get(id);
    const own = contents.get(id);
    return row ? [{ ...toGeneration(row), ...(own && { content: own }) }] : [];
  });
}

interface Subject {
  organizationId: string;
  workspaceId: string;
  userId: string | null;
  keyId: string | null;
  decisions: readonly { field: string; rule: string | null }[];
  workspace: { regions: string[] };
}

/** Masks personal data unless the destination receives full contents; null if the content can't be scanned. */
async function masked(
  { db, settings, now, signal }: GenerationsContext,
  row: Subject,
  content: GenerationContent,
  kind: ExportContent,
): Promise<GenerationContent | null> {
  if (kind === "full") return content;
  const kinds = maskedKinds(row.decisions, await loadLayers(db, row, settings.zdrVendors, now));
  const limits: ScanLimits = {
    timeoutMs: settings.filterTimeoutMs,
    workers: settings.filterWorkers,
    signal,
    owner: { organizationId: row.organizationId, subject: row.keyId ?? row.workspaceId },
  };
  try {
    return await maskContent(limits, content, kinds, row.workspace.regions);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
