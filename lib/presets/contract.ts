import { z } from "zod";
import { envelope, operation, Timestamp, Uuid } from "../http/operation";
import { page, PageQuery } from "../http/pagination";
import { ChatCompletionsBody, ResponsesBody } from "../inference/contract";

export const PRESET_STATUSES = ["active", "disabled", "archived"] as const;

export const PresetSlug = z
  .string()
  .max(128)
  .regex(/^[a-z0-9]+(?:[-_.~][a-z0-9]+)*$/, "must be lower-case letters and digits, joined by single - _ . or ~");

/** The request fields that a preset keeps; the rest of a body is ignored (routing-api.md, contract.md section 4 "Presets"). */
export const PresetConfig = ResponsesBody.pick({
  model: true,
  models: true,
  temperature: true,
  top_p: true,
  top_k: true,
  frequency_penalty: true,
  presence_penalty: true,
  max_output_tokens: true,
  max_tool_calls: true,
  stop_server_tools_when: true,
  top_logprobs: true,
  parallel_tool_calls: true,
  modalities: true,
  image_config: true,
  cache_control: true,
  prompt_cache_options: true,
  provider: true,
  reasoning: true,
  route: true,
  service_tier: true,
  text: true,
  tool_choice: true,
  tools: true,
  plugins: true,
  truncation: true,
});
export type PresetConfig = z.output<typeof PresetConfig>;

export const PresetVersion = z
  .object({
    id: Uuid,
    preset_id: Uuid,
    version: z.number().int().min(1),
    config: z.record(z.string(), z.unknown()),
    system_prompt: z.string(),
    creator_id: z.string(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "PresetVersion" });
export type PresetVersion = z.output<typeof PresetVersion>;

export const Preset = z
  .object({
    id: Uuid,
    slug: PresetSlug,
    name: z.string(),
    description: z.string().nullable(),
    status: z.enum(PRESET_STATUSES),
    status_updated_at: Timestamp.nullable(),
    revision: z.number().int().min(1),
    created_at: Timestamp,
    updated_at: Timestamp,
    creator_user_id: z.string().nullable(),
    workspace_id: Uuid,
    designated_version_id: Uuid,
  })
  .meta({ id: "Preset" });
export type Preset = z.output<typeof Preset>;

export const PresetWithVersion = Preset.extend({ designated_version: PresetVersion }).meta({ id: "PresetWithDesignatedVersion" });
export type PresetWithVersion = z.output<typeof PresetWithVersion>;

export const UpdatePresetBody = z.strictObject({
  name: z.string().trim().min(1).max(200).optional(),
  description: z.string().max(1000).nullish(),
  status: z.enum(PRESET_STATUSES).optional(),
  designated_version: z.number().int().min(1).optional(),
});

const tag = "Presets";
const params = z.object({ slug: PresetSlug });
/** Slugs are unique in a workspace; the default workspace when omitted. */
const query = z.object({ workspace_id: Uuid.optional() });
const reading = { tag, access: "member", method: "GET", status: 200 } as const;
const creating = {
  tag,
  access: "management",
  method: "POST",
  params,
  invalidParams: 400,
  query,
  status: 200,
  result: envelope(PresetWithVersion),
  errors: [400, 401, 403, 404, 409, 412, 413, 429, 500],
  idempotent: true,
  ifMatch: true,
  etag: true,
} as const;

export const createPresetFromResponses = operation({
  ...creating,
  id: "createPresetsResponses",
  path: "/presets/{slug}/responses",
  summary: "Create a preset, or its next version, from a Responses request body",
  body: ResponsesBody,
  example: { body: { model: "sandbox/echo", instructions: "Answer briefly.", temperature: 0.2 } },
});

export const createPresetFromChatCompletions = operation({
  ...creating,
  id: "createPresetsChatCompletions",
  path: "/presets/{slug}/chat/completions",
  summary: "Create a preset, or its next version, from a Chat Completions request body",
  body: ChatCompletionsBody,
  example: { body: { model: "sandbox/echo", messages: [{ role: "system", content: "Answer briefly." }], temperature: 0.2 } },
});

export const listPresets = operation({
  ...reading,
  id: "listPresets",
  path: "/presets",
  summary: "List presets of a workspace, most recently updated first",
  query: PageQuery.extend(query.shape),
  result: page(Preset),
  errors: [400, 401, 403, 404, 429, 500],
});

export const getPreset = operation({
  ...reading,
  id: "getPreset",
  path: "/presets/{slug}",
  summary: "Get a preset with its designated version",
  params,
  query,
  result: envelope(PresetWithVersion),
  errors: [400, 401, 403, 404, 429, 500],
  etag: true,
});

export const updatePreset = operation({
  tag,
  access: "management",
  method: "PATCH",
  id: "updatePreset",
  path: "/presets/{slug}",
  summary: "Rename, describe, disable or archive a preset, or designate one of its versions",
  params,
  query,
  body: UpdatePresetBody,
  status: 200,
  result: envelope(PresetWithVersion),
  errors: [400, 401, 403, 404, 412, 413, 429, 500],
  etag: true,
  ifMatch: true,
  example: { body: { designated_version: 1 } },
});

export const listPresetVersions = operation({
  ...reading,
  id: "listPresetVersions",
  path: "/presets/{slug}/versions",
  summary: "List the versions of a preset, oldest first",
  params,
  query: PageQuery.extend(query.shape),
  result: page(PresetVersion),
  errors: [400, 401, 403, 404, 429, 500],
});

export const getPresetVersion = operation({
  ...reading,
  id: "getPresetVersion",
  path: "/presets/{slug}/versions/{version}",
  summary: "Get one version of a preset",
  params: params.extend({ version: z.string().regex(/^[1-9]\d{0,8}$/) }),
  query,
  result: envelope(PresetVersion),
  errors: [400, 401, 403, 404, 429, 500],
});
