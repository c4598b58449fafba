import "server-only";
import { recordRead } from "../../platform/audit/store";
import { workspacesOf, type Context } from "../../platform/context";
import { inTransaction } from "../../platform/database/transaction";
import type { Input, Result } from "../../platform/http/operation";
import { generationSecond } from "../../platform/ids";
import { loadLayers } from "../../records/guardrails/layers-store";
import { PREVIEW_CHARACTERS, type GenerationPreview, type listGenerationPreviews } from "./contract";
import { excerptOf } from "./excerpt";
import { wordsOf } from "./vocabulary";
import { maskedKinds } from "./masking";
import { maskTexts } from "./masking-service";
import { previewTexts } from "./previews-store";

/** Number of characters read of each text. More than are shown, so that masked values aren't cut. */
const READ_CHARACTERS = 2_000;
/** Number of characters searched for the words. */
const SEARCHED_CHARACTERS = 10_000;
const DAY_MS = 24 * 60 * 60_000;

/** Returns masked excerpts, audited once an hour. Generations without readable content have none. */
export async function previews(
  context: Context,
  { query }: Input<typeof listGenerationPreviews>,
): Promise<Result<typeof listGenerationPreviews>> {
  const { caller, db, now, settings } = context;
  const workspaces = workspacesOf(context);
  const ids = [...new Set([query.id].flat())];
  const words = wordsOf(query.q ?? "");
  const { rows, texts } = await inTransaction(db, async (transaction) => {
    const rows = await transaction.generation.findMany({
      where: {
        OR: ids.flatMap((id) => placeOf(caller.organizationId, id)),
        ...(workspaces !== "all" && { workspaceId: { in: [...workspaces] } }),
        contentStored: true,
        contentDeletedAt: null,
      },
      select: {
        id: true,
        createdAt: true,
        keyId: true,
        userId: true,
        workspaceId: true,
        decisions: { select: { field: true, rule: true } },
        workspace: { select: { contentRetentionDays: true, regions: true } },
      },
    });
    const kept = rows.filter(
      ({ createdAt, workspace: { contentRetentionDays: days } }) =>
        days === null || createdAt.getTime() >= now.getTime() - days * DAY_MS,
    );
    const texts = await previewTexts(transaction, kept, words.length > 0 ? SEARCHED_CHARACTERS : READ_CHARACTERS);
    if (texts.size > 0)
      await recordRead(transaction, context, {
        action: "generation.read_previews",
        target: { type: "organization", id: caller.organizationId },
      });
    return { rows: kept, texts };
  });
  const found = new Map<string, GenerationPreview>();
  for (const row of rows) {
    const { prompt = null, completion = null } = texts.get(row.id) ?? {};
    const kinds = maskedKinds(row.decisions, await loadLayers(db, row, settings.zdrVendors, now));
    const [ofPrompt, ofCompletion] = await maskTexts(context, [prompt, completion], kinds, row.workspace.regions);
    const shown = (text: string | null = null) => text && excerptOf(text, words, PREVIEW_CHARACTERS);
    found.set(row.id, { id: row.id, prompt: shown(ofPrompt), completion: shown(ofCompletion) });
  }
  return { data: ids.map((id) => found.get(id) ?? { id, prompt: null, completion: null }) };
}

function placeOf(organizationId: string, id: string) {
  const createdAt = generationSecond(id);
  return createdAt ? [{ id, createdAt, organizationId }] : [];
}
