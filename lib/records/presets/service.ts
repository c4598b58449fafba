import "server-only";
import { recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { literal } from "../../platform/database/literal";
import { inTransaction, dryRun, type Database } from "../../platform/database/transaction";
import { invalid, notFound, preconditionFailed } from "../../platform/api-error";
import type { Input, Result } from "../../platform/http/operation";
import { skipTake, sortOrder } from "../../platform/http/pagination";
import { uuidv7 } from "../../platform/ids";
import { ChatCompletionsBody } from "../../engine/protocols/contracts/chat-request-contract";
import { lockedWorkspaceId, resolveWorkspaceId } from "../workspaces/store";
import type { Preset as PresetRow, Prisma } from "../../../prisma/generated/client";
import type * as contract from "./contract";
import { creatorNames } from "./creator-names-store";
import { splitPersistedFields } from "./persisted-fields";
import { labelsOf } from "./labels-store";
import {
  settingsFromChatCompletions,
  settingsFromMessages,
  settingsFromResponses,
  type PresetSettings,
} from "./settings";
import { toPresetEntry, toPresetVersion, toPresetWithVersion, type DesignatedRow } from "./rows";

interface Located {
  params: { slug: string };
  query: { workspace_id?: string | undefined };
}

/** Returns the organization's preset; 404 when missing or foreign. */
export async function findPreset(db: Database, context: Context, located: Located): Promise<PresetRow> {
  return presetIn(db, await resolveWorkspaceId({ ...context, db }, located.query.workspace_id), located);
}

async function presetIn(db: Database, workspaceId: string, { params }: Located): Promise<PresetRow> {
  const preset = await db.preset.findUnique({ where: { workspaceId_slug: { workspaceId, slug: params.slug } } });
  if (!preset) throw notFound();
  return preset;
}

const findVersion = (db: Database, { id }: PresetRow, version: number) =>
  db.presetVersion.findUnique({ where: { presetId_version: { presetId: id, version } } });

/** Returns the API object of a preset. */
async function read(db: Database, preset: PresetRow): Promise<contract.PresetWithVersion> {
  const where = { presetId_version: { presetId: preset.id, version: preset.designatedVersion } };
  return toPresetWithVersion(
    preset,
    await db.presetVersion.findUniqueOrThrow({ where }),
    await labelsOf(db, preset.id),
  );
}

export async function list(
  context: Context,
  { query }: Input<typeof contract.listPresets>,
): Promise<Result<typeof contract.listPresets>> {
  const { db } = context;
  const { q, status } = query;
  const found = q && { contains: literal(q), mode: "insensitive" as const };
  const where: Prisma.PresetWhereInput = {
    ...(status && { status: { in: [status].flat() } }),
    ...(found && { OR: [{ slug: found }, { name: found }, { description: found }] }),
  };
  const { presets, _count } = await db.workspace.findUniqueOrThrow({
    where: { id: await resolveWorkspaceId(context, query.workspace_id) },
    select: {
      presets: { where, orderBy: orderOf(query.sort ?? "-updated_at"), ...skipTake(query) },
      _count: { select: { presets: { where } } },
    },
  });
  const designated = await designatedOf(db, presets);
  return { data: presets.map((preset) => toPresetEntry(preset, designated)), total_count: _count.presets };
}

const COLUMNS = { name: "name", slug: "slug", updated_at: "updatedAt", created_at: "createdAt" } as const;

function orderOf(
  sort: NonNullable<Input<typeof contract.listPresets>["query"]["sort"]>,
): Prisma.PresetOrderByWithRelationInput[] {
  const { field, direction } = sortOrder(sort);
  return [{ [COLUMNS[field]]: direction }, { id: direction }];
}

/** Loads presets' labels, sorted by name, and designated versions without their configuration; lists show only the model. */
async function designatedOf(db: Database, presets: readonly PresetRow[]): Promise<Map<string, DesignatedRow>> {
  const rows = await db.$queryRaw<DesignatedRow[]>`
    SELECT v.preset_id, v.id, v.config ->> 'model' AS model,
      coalesce((SELECT json_object_agg(name, version ORDER BY name) FROM preset_labels WHERE preset_id = p.id), '{}') AS labels
    FROM presets p JOIN preset_versions v ON v.preset_id = p.id AND v.version = p.designated_version
    WHERE p.id = ANY(${presets.map(({ id }) => id)}::uuid[])`;
  return new Map(rows.map((row) => [row.preset_id, row]));
}

export async function get(
  context: Context,
  input: Input<typeof contract.getPreset>,
): Promise<Result<typeof contract.getPreset>> {
  return { data: await read(context.db, await findPreset(context.db, context, input)) };
}

export async function listVersions(
  context: Context,
  input: Input<typeof contract.listPresetVersions>,
): Promise<Result<typeof contract.listPresetVersions>> {
  const { direction } = sortOrder(input.query.sort);
  const workspaceId = await resolveWorkspaceId(context, input.query.workspace_id);
  const preset = await context.db.preset.findUnique({
    where: { workspaceId_slug: { workspaceId, slug: input.params.slug } },
    select: {
      versions: { orderBy: { version: direction }, ...skipTake(input.query) },
      _count: { select: { versions: true } },
    },
  });
  if (!preset) throw notFound();
  const { versions, _count } = preset;
  const names = await creatorNames(
    context,
    versions.map(({ creatorId }) => creatorId),
  );
  const data = versions.map((version) => ({
    ...toPresetVersion(version),
    creator_name: names.get(version.creatorId) ?? null,
  }));
  return { data, total_count: _count.versions };
}

export async function getVersion(
  context: Context,
  input: Input<typeof contract.getPresetVersion>,
): Promise<Result<typeof contract.getPresetVersion>> {
  const preset = await findPreset(context.db, context, input);
  const version = await findVersion(context.db, preset, Number(input.params.version));
  if (!version) throw notFound();
  return { data: toPresetVersion(version) };
}

export const createFromResponses = (context: Context, input: Input<typeof contract.createPresetFromResponses>) =>
  createOrRehearse(context, input, settingsFromResponses(input.body), () =>
    splitPersistedFields("responses", input.body),
  );

/** Uses only the protocol's fields, because an unknown field may have the name of a setting. */
export const createFromChatCompletions = (
  context: Context,
  input: Input<typeof contract.createPresetFromChatCompletions>,
) =>
  createOrRehearse(context, input, settingsFromChatCompletions(ChatCompletionsBody.parse(input.body)), () =>
    splitPersistedFields("chat_completions", input.body),
  );

export const createFromMessages = (context: Context, input: Input<typeof contract.createPresetFromMessages>) =>
  createOrRehearse(context, input, settingsFromMessages(input.body), () =>
    splitPersistedFields("messages", input.body),
  );

type Creation = Located & {
  query: {
    message?: string | undefined;
    designate?: "true" | "false" | undefined;
    dry_run?: "true" | "false" | undefined;
  };
};

/** Creates a version. With `dry_run`, rolls it back, so that the preview equals the result. */
async function createOrRehearse(
  context: Context,
  input: Creation,
  settings: PresetSettings,
  explain: () => contract.KeptAndIgnored,
): Promise<Result<typeof contract.createPresetFromResponses>> {
  if (input.query.dry_run !== "true")
    return inTransaction(context.db, (db) => createVersion({ ...context, db }, input, settings));
  return dryRun(context.db, async (db) => ({
    ...(await createVersion({ ...context, db }, input, settings)),
    ...explain(),
  }));
}

/**
 * Creates the preset's next version and designates it by default. The upsert locks the row, so that concurrent requests
 * get consecutive numbers and an error uses up none.
 */
async function createVersion(
  context: Context,
  { params: { slug }, query }: Creation,
  { config, systemPrompt }: PresetSettings,
): Promise<Result<typeof contract.createPresetFromResponses>> {
  const { caller, db, now } = context;
  const workspaceId = await lockedWorkspaceId(db, context, query.workspace_id);
  const designates = query.designate !== "false";
  const presetId = await raiseVersion(context, { workspaceId, slug, designates });
  const preset = await db.preset.findUniqueOrThrow({ where: { id: presetId } });
  if (context.ifMatch && !context.ifMatch.includes(preset.revision - 1)) throw preconditionFailed(preset.revision - 1);
  await db.presetVersion.create({
    data: {
      id: uuidv7(now),
      presetId,
      version: preset.latestVersion,
      config: config as Prisma.InputJsonObject,
      systemPrompt,
      message: query.message ?? null,
      creatorId: caller.userId ?? (caller.kind === "key" ? caller.keyId : caller.sessionId),
      createdAt: now,
    },
  });
  const data = await read(db, preset);
  await record(db, context, preset.latestVersion === 1 ? "preset.create" : "preset.create_version", null, data);
  return { data, ...(!designates && { created_version: preset.latestVersion }) };
}

/** Uses one statement to insert or lock the preset and count its version, whichever concurrent caller comes first. */
async function raiseVersion(
  { caller, db, now }: Context,
  { workspaceId, slug, designates }: { workspaceId: string; slug: string; designates: boolean },
): Promise<string> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    INSERT INTO presets (id, workspace_id, slug, name, creator_user_id, created_at, updated_at)
    VALUES (${uuidv7(now)}::uuid, ${workspaceId}::uuid, ${slug}, ${slug}, ${caller.userId}, ${now}, ${now})
    ON CONFLICT (workspace_id, slug) DO UPDATE
      SET latest_version = presets.latest_version + 1,
          designated_version = CASE WHEN ${designates} THEN presets.latest_version + 1 ELSE presets.designated_version END,
          revision = presets.revision + 1,
          updated_at = excluded.updated_at
    RETURNING id`;
  const id = rows[0]?.id;
  if (!id) throw new Error("the upsert of a preset returned no row");
  return id;
}

export const update = (
  context: Context,
  input: Input<typeof contract.updatePreset>,
): Promise<Result<typeof contract.updatePreset>> =>
  revise(context, input, "preset.update", async (db, before) => {
    const { name, description, status, designated_version } = input.body;
    if (designated_version !== undefined) assertVersion(before, ["designated_version"], designated_version);
    await db.preset.update({
      where: { id: before.id },
      data: {
        name,
        description,
        status,
        ...(status !== undefined && status !== before.status && { statusUpdatedAt: context.now }),
        designatedVersion: designated_version,
      },
    });
  });

/** Throws a 400 when the preset has no such version. */
export function assertVersion({ latestVersion }: PresetRow, path: [string], version: number): void {
  if (version > latestVersion)
    throw invalid([{ path, message: `must be between 1 and ${latestVersion}`, code: "too_big" }]);
}

/** Changes a preset under its lock: checks the revision, then writes a revision and an audit event. */
export async function revise(
  context: Context,
  input: Located,
  action: `preset.${string}`,
  change: (db: Database, before: PresetRow) => Promise<void>,
): Promise<{ data: contract.PresetWithVersion }> {
  return inTransaction(context.db, async (db) => {
    const workspaceId = await lockedWorkspaceId(db, context, input.query.workspace_id);
    const { id } = await presetIn(db, workspaceId, input);
    await db.$queryRaw`SELECT 1 AS locked FROM presets WHERE id = ${id}::uuid FOR UPDATE`;
    const row = await db.preset.findUniqueOrThrow({ where: { id } });
    if (context.ifMatch && !context.ifMatch.includes(row.revision)) throw preconditionFailed(row.revision);
    const before = await read(db, row);
    await change(db, row);
    const data = await read(
      db,
      await db.preset.update({ where: { id }, data: { revision: row.revision + 1, updatedAt: context.now } }),
    );
    await record(db, context, action, before, data);
    return { data };
  });
}

async function record(
  db: Database,
  context: Context,
  action: `preset.${string}`,
  before: contract.PresetWithVersion | null,
  after: contract.PresetWithVersion,
): Promise<void> {
  const target = { type: "preset", id: after.id, name: after.slug };
  await recordChange(db, context, { action, target, workspaceId: after.workspace_id, before, after });
}
