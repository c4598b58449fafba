import "server-only";
import type { z } from "zod";
import type { Context } from "../../platform/context";
import { cached, type Loaded } from "../../platform/database/policy-cache";
import type { Database } from "../../platform/database/transaction";
import { ApiError, invalid, type Issue } from "../../platform/api-error";
import { issueMessage } from "../../platform/http/issue-message";
import { toIssues } from "../../platform/http/issues";
import { ChatCompletionsBody } from "../../engine/protocols/contracts/chat-request-contract";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import type { Protocol } from "../../engine/endpoint";
import { MergedMessagesBody, type MessagesBody } from "../../engine/protocols/contracts/messages-request-contract";
import { mergeChatCompletions, mergeMessages, mergeResponses } from "./merge";
import { presetReference, type PresetReference } from "./reference";

export interface AppliedPreset {
  id: string;
  slug: string;
  version: number;
}

interface PresetRow {
  id: string;
  organization_id: string;
  status: "active" | "disabled" | "archived";
  /** Null when the preset has no such version or label. */
  version: number | null;
  config: Record<string, unknown>;
  system_prompt: string;
}

/** Merges a request with the preset it references, and returns both; unchanged without a reference. */
export async function applyPreset<Body extends ResponsesBody | ChatCompletionsBody | MessagesBody>(
  { caller, db }: Context,
  protocol: Protocol,
  body: Body,
): Promise<{ body: Body; preset: AppliedPreset | null }> {
  const { reference, model, issues } = presetReference(body);
  if (issues.length > 0) throw invalid(issues);
  if (!reference) return { body, preset: null };
  const { preset, settings } = await findPreset(db, caller.workspaceId, reference);
  const stored = settings();
  const request = { ...body, model, preset: undefined };
  return { body: MERGED[protocol](stored, request, preset) as Body, preset };
}

/** Merges a request of each protocol with a preset's settings. */
const MERGED: Readonly<Record<Protocol, (stored: ResponsesBody, request: object, preset: AppliedPreset) => unknown>> = {
  responses: (stored, request, preset) => checked(ResponsesBody, mergeResponses(stored, { ...request }), preset),
  chat_completions: (stored, request, preset) =>
    checked(ChatCompletionsBody, mergeChatCompletions(stored, { ...request }), preset),
  messages: (stored, request, preset) => checked(MergedMessagesBody, mergeMessages(stored, { ...request }), preset),
};

interface StoredPreset {
  preset: AppliedPreset;
  /** Returns the version's settings, validated on first use; throws a 400 when a request can't use them. */
  settings: () => ResponsesBody;
}

async function findPreset(db: Database, workspaceId: string, reference: PresetReference): Promise<StoredPreset> {
  const { slug, version, label } = reference;
  const found = await cached(db, ["preset", workspaceId, slug, version, label], () =>
    loadPreset(db, workspaceId, reference),
  );
  if (!found) throw unavailable(`Preset "${slug}" does not exist in this workspace`, "preset_not_found", slug);
  return found;
}

async function loadPreset(
  db: Database,
  workspaceId: string,
  { slug, version, label }: PresetReference,
): Promise<Loaded<StoredPreset> | null> {
  const [row] = await db.$queryRaw<PresetRow[]>`
    SELECT presets.id, presets.status::text, preset_versions.version, preset_versions.config, preset_versions.system_prompt,
      workspaces.organization_id
    FROM presets JOIN workspaces ON workspaces.id = presets.workspace_id
    LEFT JOIN preset_versions ON preset_versions.preset_id = presets.id AND preset_versions.version = CASE
      WHEN ${label}::text IS NULL THEN coalesce(${version}::int, presets.designated_version)
      ELSE (SELECT version FROM preset_labels WHERE preset_id = presets.id AND name = ${label}::text) END
    WHERE presets.workspace_id = ${workspaceId}::uuid AND presets.slug = ${slug}`;
  if (!row) return null;
  if (row.status !== "active") throw unavailable(`Preset "${slug}" is ${row.status}`, `preset_${row.status}`, slug);
  if (row.version === null && label !== null)
    throw unavailable(`Preset "${slug}" has no label "${label}"`, "preset_label_not_found", slug);
  if (row.version === null)
    throw unavailable(`Preset "${slug}" has no version ${version}`, "preset_version_not_found", slug);
  const preset: AppliedPreset = { id: row.id, slug, version: row.version };
  return { organizationId: row.organization_id, value: compilePreset(preset, row) };
}

function compilePreset(preset: AppliedPreset, { config, system_prompt }: PresetRow): StoredPreset {
  let settings: ResponsesBody | null = null;
  const validate = () => {
    const stored = checked(ResponsesBody, { ...config, instructions: system_prompt }, preset);
    const chained = presetReference(stored);
    if (!chained.reference && chained.issues.length === 0) return stored;
    throw unusable([{ path: ["model"], message: "must not reference a preset itself", code: "custom" }], preset);
  };
  return { preset, settings: () => (settings ??= validate()) };
}

const unavailable = (message: string, reason: string, preset: string) => new ApiError(404, message, { reason, preset });

/**
 * Validates the merged request. Preset settings that the caller's protocol doesn't support are reported like any other
 * invalid field.
 */
function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, preset: AppliedPreset): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: issueMessage });
  if (parsed.success) return parsed.data;
  throw unusable(
    parsed.error.issues.flatMap((issue) => toIssues(issue)),
    preset,
  );
}

const unusable = (issues: readonly Issue[], { slug, version }: AppliedPreset) =>
  invalid(issues.map((issue) => ({ ...issue, message: `${issue.message} (preset "${slug}", version ${version})` })));
