import { z } from "zod";
import { envelope, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { listQuery, page, PageQuery } from "../../platform/http/pagination";
import { MessagesBody } from "../../engine/protocols/contracts/messages-request-contract";
import { ChatCompletionsBody } from "../../engine/protocols/contracts/chat-request-contract";
import { ResponsesBody, specifiedFields } from "../../engine/protocols/contracts/responses-request-contract";
import { newName } from "../../platform/name-contract";

const Status = z.enum(["active", "disabled", "archived"]);

export const PresetSlug = z
  .string()
  .max(128)
  .regex(
    /^[a-z0-9]+(?:[-_.~][a-z0-9]+)*$/,
    "must consist of lowercase letters and digits, separated by single - _ . or ~",
  );

/** Starts with a letter, so that `@preset/slug:label` can't be mistaken for a version. */
export const PresetLabel = z
  .string()
  .max(32)
  .regex(
    /^[a-z][a-z0-9]*(?:[-_.][a-z0-9]+)*$/,
    "must start with a letter and consist of lowercase letters and digits, separated by single - _ or .",
  );

export const MAX_LABELS = 20;

/** Request fields that a preset stores; other fields are ignored (docs/semantics.md#presets). */
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
    message: z.string().nullable().meta({ description: "The author's change message" }),
    creator_id: z.string(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "PresetVersion" });
export type PresetVersion = z.output<typeof PresetVersion>;

export const PresetVersionEntry = PresetVersion.extend({
  creator_name: z
    .string()
    .nullable()
    .meta({ description: "Name of the member or key in creator_id; null when unknown" }),
}).meta({ id: "PresetVersionEntry" });
export type PresetVersionEntry = z.output<typeof PresetVersionEntry>;

export const Preset = z
  .object({
    id: Uuid,
    slug: PresetSlug,
    name: z.string(),
    description: z.string().nullable(),
    status: Status,
    status_updated_at: Timestamp.nullable(),
    revision: z.number().int().min(1),
    created_at: Timestamp,
    updated_at: Timestamp,
    creator_user_id: z.string().nullable(),
    workspace_id: Uuid,
    designated_version_id: Uuid,
    labels: z
      .record(PresetLabel, z.number().int().min(1))
      .meta({ description: "The version that each label points to" }),
  })
  .meta({ id: "Preset" });
export type Preset = z.output<typeof Preset>;

export const PresetWithVersion = Preset.extend({ designated_version: PresetVersion }).meta({
  id: "PresetWithDesignatedVersion",
});
export type PresetWithVersion = z.output<typeof PresetWithVersion>;

export const PresetEntry = Preset.extend({
  designated_version_number: z.number().int().min(1),
  latest_version_number: z.number().int().min(1),
  model: z
    .string()
    .nullable()
    .meta({ description: "The designated version's model; null when requests choose the model" }),
}).meta({ id: "PresetEntry" });
export type PresetEntry = z.output<typeof PresetEntry>;

/** Result of a dry run: stored and ignored parts of the body. */
export const KeptAndIgnored = z.object({
  kept: z.array(z.string()).meta({ description: "Fields of the body that the version stores" }),
  ignored: z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), reason: z.string() })),
});
export type KeptAndIgnored = z.output<typeof KeptAndIgnored>;

export const UpdatePresetBody = z.strictObject({
  name: newName(200).optional(),
  description: z.string().max(1000).nullish(),
  status: Status.optional(),
  designated_version: z.number().int().min(1).optional(),
});

const tag = "Presets";
const params = z.object({ slug: PresetSlug });
/** Slugs are unique per workspace; defaults to the default workspace. */
const query = z.object({ workspace_id: Uuid.optional() });
const reading = { tag, access: "management", method: "GET", status: 200 } as const;
const creationQuery = query.extend({
  message: z.string().trim().min(1).max(500).optional().meta({ description: "Change message, shown in the history" }),
  designate: z
    .enum(["true", "false"])
    .optional()
    .meta({ description: "Set to false to keep an existing preset's current version live" }),
  dry_run: z
    .enum(["true", "false"])
    .optional()
    .meta({ description: "Set to true to preview the result without storing it, with `kept` and `ignored` fields" }),
});
const creating = {
  tag,
  access: "management",
  method: "POST",
  params,
  invalidParams: 400,
  query: creationQuery,
  status: 200,
  result: envelope(PresetWithVersion).extend({
    ...KeptAndIgnored.partial().shape,
    created_version: z
      .number()
      .int()
      .min(1)
      .optional()
      .meta({ description: "The created version, with designate=false" }),
  }),
  errors: [404],
  idempotent: true,
  ifMatch: true,
  etag: true,
} as const;

export const createPresetFromResponses = operation({
  ...creating,
  id: "createPresetsResponses",
  permission: "presets:write",
  byWorkspace: true,
  path: "/presets/{slug}/responses",
  summary: "Create a preset, or its next version, from a Responses request body",
  body: ResponsesBody.loose(),
  bodySize: "large",
  example: { body: { model: "sandbox/echo", instructions: "Answer briefly.", temperature: 0.2 } },
});

export const createPresetFromChatCompletions = operation({
  ...creating,
  id: "createPresetsChatCompletions",
  permission: "presets:write",
  byWorkspace: true,
  path: "/presets/{slug}/chat/completions",
  summary: "Create a preset, or its next version, from a Chat Completions request body",
  body: ChatCompletionsBody.extend(specifiedFields).loose(),
  bodySize: "large",
  example: {
    body: { model: "sandbox/echo", messages: [{ role: "system", content: "Answer briefly." }], temperature: 0.2 },
  },
});

export const createPresetFromMessages = operation({
  ...creating,
  id: "createPresetsMessages",
  permission: "presets:write",
  byWorkspace: true,
  path: "/presets/{slug}/messages",
  summary: "Create a preset, or its next version, from a Messages request body",
  body: MessagesBody,
  bodySize: "large",
  example: {
    body: {
      model: "sandbox/echo",
      max_tokens: 300,
      system: "Answer briefly.",
      messages: [{ role: "user", content: "Hello" }],
    },
  },
});

export const listPresets = operation({
  ...reading,
  id: "listPresets",
  permission: "presets:read",
  byWorkspace: true,
  path: "/presets",
  summary: "List the presets of a workspace, most recently updated first",
  query: listQuery(["name", "slug", "updated_at", "created_at"], "Search text in slug, name and description").extend({
    ...query.shape,
    status: z
      .union([Status, z.array(Status)])
      .optional()
      .meta({ description: "Filter by status; repeatable" }),
  }),
  result: page(PresetEntry),
  errors: [404],
});

export const getPreset = operation({
  ...reading,
  id: "getPreset",
  permission: "presets:read",
  byWorkspace: true,
  path: "/presets/{slug}",
  summary: "Get a preset with its designated version",
  params,
  query,
  result: envelope(PresetWithVersion),
  etag: true,
});

export const updatePreset = operation({
  tag,
  access: "management",
  method: "PATCH",
  id: "updatePreset",
  permission: "presets:write",
  byWorkspace: true,
  path: "/presets/{slug}",
  summary: "Update a preset: name, description, status or designated version",
  params,
  query,
  body: UpdatePresetBody,
  status: 200,
  result: envelope(PresetWithVersion),
  etag: true,
  ifMatch: true,
  example: { body: { designated_version: 1 } },
});

export const listPresetVersions = operation({
  ...reading,
  id: "listPresetVersions",
  permission: "presets:read",
  byWorkspace: true,
  path: "/presets/{slug}/versions",
  summary: "List the versions of a preset, oldest first",
  params,
  query: PageQuery.extend({ ...query.shape, sort: z.enum(["version", "-version"]).default("version") }),
  result: page(PresetVersionEntry),
});

export const getPresetVersion = operation({
  ...reading,
  id: "getPresetVersion",
  permission: "presets:read",
  byWorkspace: true,
  path: "/presets/{slug}/versions/{version}",
  summary: "Get one version of a preset",
  params: params.extend({ version: z.string().regex(/^[1-9]\d{0,8}$/) }),
  query,
  result: envelope(PresetVersion),
});
