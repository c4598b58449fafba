import "server-only";
import type { Context } from "../../platform/context";
import type { Database } from "../../platform/database/transaction";
import { inTransaction } from "../../platform/database/transaction";
import { toGuardrail } from "../../records/guardrails/rows";
import { StreamedAnswer } from "../../platform/http/event-stream";
import type { Input, Result } from "../../platform/http/operation";
import { settingsOf, toModel, WITH_ENDPOINTS, type ModelRow } from "../../records/models/rows";
import { fromMicroUsd } from "../../engine/money";
import type { PolicyTest } from "../policy-tests/contract";
import { toPolicyTest } from "../policy-tests/rows";
import type { PresetConfig } from "../../records/presets/contract";
import { toSettings } from "../../records/providers/rows";
import { toWorkspace } from "../../records/workspaces/rows";
import { toFileAlerts } from "./alert-rows";
import { canonical, formatReference, secretOf as secret } from "./canonical";
import type * as contract from "./contract";
import { toYaml } from "./yaml";

type Exported = Result<typeof contract.exportPolicy>;
type Objects = contract.PolicyFileObjects;

/** Exports the organization's policy by names; `yaml` returns the canonical file. */
export async function exportPolicy(
  context: Context,
  { query }: Input<typeof contract.exportPolicy>,
): Promise<Exported | StreamedAnswer> {
  const isYaml = query.format === "yaml" || (query.format === undefined && context.client.wantsYaml);
  const exported = await inTransaction(context.db, (db) => readPolicy({ ...context, db }));
  if (!isYaml) return exported;
  const day = context.now.toISOString().slice(0, 10);
  const headers = {
    "content-type": "application/yaml; charset=utf-8",
    "content-disposition": `attachment; filename="signalbox-policy-${day}.yaml"`,
  };
  return new StreamedAnswer(toYaml(exported.data), headers);
}

async function readPolicy(context: Context): Promise<Exported> {
  const {
    db,
    caller: { organizationId },
  } = context;
  const providers = await db.provider.findMany({ where: { organizationId, baseUrl: { not: null } } });
  // A model without providers isn't usable and couldn't be created again.
  const models = await db.model.findMany({
    where: { organizationId, endpoints: { some: {} } },
    ...WITH_ENDPOINTS,
  });
  const workspaces = await db.workspace.findMany({ where: { organizationId, deletedAt: null } });
  const members = await db.member.findMany({
    where: { organizationId, deletedAt: null },
    select: { id: true, email: true },
    orderBy: { email: "asc" },
  });
  const objects: Objects = {
    workspaces: workspaces.map(({ slug, id }) => ({ slug, id })),
    guardrails: [],
    presets: [],
    keys: [],
    members: members.map(({ email, id }) => ({ email, id })),
    alerts: [],
    webhooks: [],
  };
  const files: contract.FileWorkspace[] = [];
  const rows = await readRows(db, organizationId);
  const emails = new Map(members.map(({ id, email }) => [id, email]));
  for (const workspace of workspaces) {
    const found = toFileWorkspace(context, workspace, rows, emails);
    objects.guardrails.push(...found.objects.guardrails);
    objects.presets.push(...found.objects.presets);
    objects.keys.push(...found.objects.keys);
    const { slug, name, description, contentLogging, contentRetentionDays, metadataRetentionDays } = workspace;
    const { regions, allow_unpriced_models } = toWorkspace(workspace);
    files.push({
      slug,
      name,
      description,
      content_logging: contentLogging,
      content_retention_days: contentRetentionDays,
      metadata_retention_days: metadataRetentionDays,
      regions,
      allow_unpriced_models,
      ...found.file,
    });
  }
  const oldestFirst = { where: { organizationId }, orderBy: [...OLDEST_FIRST] };
  const rules = await db.alertRule.findMany(oldestFirst);
  const webhooks = await db.webhook.findMany(oldestFirst);
  const slugs = await db.provider.findMany({ where: { organizationId }, select: { slug: true } });
  const found = toFileAlerts(numbered(rules), numbered(webhooks.map(named)), {
    ...objects,
    providers: slugs.map(({ slug }) => slug),
  });
  objects.alerts = found.alerts;
  objects.webhooks = found.webhooks;
  return {
    data: canonical({
      version: 1,
      providers: providers.map(toFileProvider),
      models: models.map(toFileModel),
      workspaces: files,
      alerts: found.file,
    }),
    objects,
  };
}

function toFileProvider(row: Parameters<typeof toSettings>[0]): contract.FileProvider {
  const { slug, name, base_url, kind, protocol, settings, zdr, trains, ownership, ...stored } = toSettings(row);
  const { has_api_key, credential_names, header_names } = stored;
  const credentials = Object.fromEntries(credential_names.map((credential) => [credential, secret(slug, credential)]));
  const headers = Object.fromEntries(header_names.map((header) => [header, secret(slug, header)]));
  return {
    slug,
    name,
    base_url: base_url ?? "",
    kind,
    protocol,
    ...(settings && { settings }),
    zdr,
    trains,
    ownership,
    ...(credential_names.length > 0 && { credentials }),
    ...(has_api_key && { api_key: secret(slug, "API_KEY") }),
    headers,
  };
}

const toFileModel = (row: ModelRow): contract.FileModel => settingsOf(toModel(row)) as contract.FileModel;

/** Numbers objects of the same name in order of creation. */
function numbered<T extends { name: string }>(rows: readonly T[]): { row: T; copy: number }[] {
  const counts = new Map<string, number>();
  return rows.map((row) => {
    const copy = (counts.get(row.name) ?? 0) + 1;
    counts.set(row.name, copy);
    return { row, copy };
  });
}

/** Returns a webhook's name in a file, because its address may contain secrets. */
const named = ({ id, description, url }: { id: string; description: string | null; url: string }) => ({
  id,
  name: description ?? new URL(url).host,
});

const OLDEST_FIRST = [{ createdAt: "asc" }, { id: "asc" }] as const;

/** Reads the contents of all workspaces of an organization, with as many queries as for one. */
async function readRows(db: Database, organizationId: string) {
  const ofOrganization = { workspace: { organizationId } };
  const [ofWorkspace, ofGuardrail] = [byId("workspaceId"), byId("guardrailId")];
  return {
    guardrails: ofWorkspace(
      await db.guardrail.findMany({ where: { ...ofOrganization, deletedAt: null }, orderBy: [...OLDEST_FIRST] }),
    ),
    keys: ofWorkspace(
      await db.key.findMany({
        where: { organizationId, kind: "inference", deletedAt: null },
        include: { assignment: { select: { guardrailId: true } } },
        orderBy: [...OLDEST_FIRST],
      }),
    ),
    held: ofWorkspace(
      await db.guardrailMemberAssignment.findMany({
        where: { organizationId },
        select: { workspaceId: true, userId: true, guardrailId: true },
      }),
    ),
    tests: ofGuardrail(await db.policyTest.findMany({ where: { guardrail: { ...ofOrganization, deletedAt: null } } })),
    presets: ofWorkspace(await db.preset.findMany({ where: ofOrganization })),
    versions: await pointedVersions(db, organizationId),
  };
}

/** Groups rows by one of their ids, preserving their order. */
const byId =
  <Name extends string>(name: Name) =>
  <Row extends Record<Name, string>>(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> => {
    const groups = new Map<string, Row[]>();
    for (const row of rows) {
      const group = groups.get(row[name]);
      if (group) group.push(row);
      else groups.set(row[name], [row]);
    }
    return groups;
  };

function toFileWorkspace(
  { settings }: Context,
  { id, slug: workspace, defaultGuardrailId }: { id: string; slug: string; defaultGuardrailId: string | null },
  rows: Awaited<ReturnType<typeof readRows>>,
  emails: ReadonlyMap<string, string>,
) {
  const guardrails = numbered(rows.guardrails.get(id) ?? []);
  const references = new Map(guardrails.map(({ row, copy }) => [row.id, formatReference(row.name, copy)]));
  const keys = numbered(rows.keys.get(id) ?? []);
  const presets = rows.presets.get(id) ?? [];
  const file = {
    default_guardrail: references.get(defaultGuardrailId ?? ""),
    guardrails: guardrails.map(({ row, copy }) => ({
      ...toFileGuardrail(workspace, toGuardrail(row, settings.zdrVendors), copy),
      tests_required: row.testsRequired,
      tests: rows.tests.get(row.id)?.map((test) => toFileTest(toPolicyTest(test))),
    })),
    presets: presets
      .filter(({ status }) => status !== "archived")
      .map(({ id: presetId, slug, name, description, status }) => ({
        slug,
        name,
        description,
        status: status as "active" | "disabled",
        versions: rows.versions.get(presetId) ?? [],
      })),
    keys: keys.map(({ row, copy }) => ({
      name: row.name,
      copy,
      guardrail: references.get(row.assignment?.guardrailId ?? ""),
      limit: row.limitMicroUsd === null ? null : fromMicroUsd(row.limitMicroUsd),
      limit_reset: row.limitReset,
      include_byok_in_limit: row.includeByokInLimit,
    })),
    members: (rows.held.get(id) ?? []).flatMap(({ userId, guardrailId }) => {
      const [email, guardrail] = [emails.get(userId), references.get(guardrailId)];
      return email !== undefined && guardrail !== undefined ? [{ email, guardrail }] : [];
    }),
  };
  const objects = {
    guardrails: guardrails.map(({ row: { name, id, revision }, copy }) => ({ workspace, name, copy, id, revision })),
    presets: presets.map(({ slug, revision, status }) => ({ workspace, slug, revision, status })),
    keys: keys.map(({ row: { name, hash }, copy }) => ({ workspace, name, copy, hash })),
  };
  return { file, objects };
}

function toFileGuardrail(
  workspace: string,
  {
    id: _,
    workspace_id: __,
    revision: ___,
    created_at: ____,
    updated_at: _____,
    ...fields
  }: ReturnType<typeof toGuardrail>,
  copy: number,
): contract.FileGuardrail {
  const { name, external_checks } = fields;
  const ofCopy = copy === 1 ? [] : [String(copy)];
  return {
    ...fields,
    external_checks: external_checks?.map(({ has_secret, secret: ______, ...check }) => ({
      ...check,
      ...(has_secret && { secret: secret(workspace, name, ...ofCopy, check.name, "SECRET") }),
    })),
    copy,
  };
}

const toFileTest = ({ name, protocol, request, check_verdicts, answer, expected }: PolicyTest): contract.FileTest => ({
  name,
  protocol,
  request,
  check_verdicts,
  answer,
  expected,
});

interface VersionRow {
  preset_id: string;
  config: PresetConfig;
  system_prompt: string;
  message: string | null;
  in_use: boolean;
  labels: string[];
}

/** Loads the versions that are live or have a label; others can't be reached. */
async function pointedVersions(db: Database, organizationId: string): Promise<Map<string, contract.FileVersion[]>> {
  const rows = await db.$queryRaw<VersionRow[]>`
    SELECT v.preset_id, v.config, v.system_prompt, v.message, v.version = p.designated_version AS in_use, coalesce(l.names, '{}') AS labels
    FROM workspaces w
    JOIN presets p ON p.workspace_id = w.id
    JOIN preset_versions v ON v.preset_id = p.id
    LEFT JOIN LATERAL (SELECT array_agg(name) AS names FROM preset_labels WHERE preset_id = p.id AND version = v.version) l ON true
    WHERE w.organization_id = ${organizationId}::uuid AND (v.version = p.designated_version OR l.names IS NOT NULL)
    ORDER BY v.preset_id, v.version`;
  const versions = new Map<string, contract.FileVersion[]>();
  for (const { preset_id, config, system_prompt, message, in_use, labels } of rows) {
    const version: contract.FileVersion = {
      config,
      ...(in_use && { in_use }),
      ...(labels.length > 0 && { labels }),
      ...(system_prompt !== "" && { system_prompt }),
      ...(message !== null && { message }),
    };
    versions.set(preset_id, [...(versions.get(preset_id) ?? []), version]);
  }
  return versions;
}
