import { z } from "zod";
import { ExternalCheckSettings } from "../../engine/checks/contract";
import { GuardrailFields } from "../../engine/policy/contract";
import { MAX_CHECKS } from "../../engine/checks/vocabulary";
import { envelope, operation, Uuid } from "../../platform/http/operation";
import { CreateKeyBody } from "../../records/keys/contract";
import { CreateModelBody } from "../../records/models/contract";
import { CreateAlertBody, kindIssues } from "../alerts/contract";
import { MOST_WEBHOOKS_OF_RULE } from "../alerts/vocabulary";
import { CreatePolicyTestBody } from "../policy-tests/contract";
import { MAX_TESTS } from "../policy-tests/vocabulary";
import { PresetLabel, PresetSlug, UpdatePresetBody } from "../../records/presets/contract";
import { CreateProviderBody } from "../../records/providers/contract";
import { CreateWorkspaceBody } from "../../records/workspaces/contract";

/** A reference to an environment variable on the machine that applies the file. Files never contain secrets. */
const Secret = z.strictObject({
  env: z
    .string()
    .max(200)
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of an environment variable"),
});

const copy = z
  .number()
  .int()
  .min(2)
  .optional()
  .meta({ description: "Position among objects of the same name, oldest first; the first when omitted" });

/** A guardrail or key by name, with the copy number if the name isn't unique. */
const Reference = z.union([z.string().min(1).max(200), z.strictObject({ name: z.string().min(1).max(200), copy })]);
export type Reference = z.output<typeof Reference>;

/** A stored name, also one that new names may not be. */
const Name = z.string().trim().min(1).max(200);
const provider = CreateProviderBody.shape;
export const FileProvider = z
  .strictObject({
    slug: provider.slug,
    name: Name,
    base_url: provider.base_url,
    kind: provider.kind,
    protocol: provider.protocol,
    settings: provider.settings.unwrap().unwrap().optional(),
    zdr: provider.zdr,
    trains: provider.trains,
    ownership: provider.ownership,
    api_key: Secret.optional(),
    credentials: z.partialRecord(provider.credentials.unwrap().unwrap().keyof(), Secret).optional(),
    headers: z.record(z.string().min(1).max(100), Secret).optional(),
  })
  .meta({ id: "PolicyFileProvider" });
export type FileProvider = z.output<typeof FileProvider>;

export const FileModel = z
  .strictObject({
    slug: CreateModelBody.shape.slug,
    ...CreateModelBody.omit({ slug: true }).shape,
    name: Name.optional(),
  })
  .meta({ id: "PolicyFileModel" });
export type FileModel = z.output<typeof FileModel>;

const test = CreatePolicyTestBody.shape;
const expected = test.expected.shape;
export const FileTest = z
  .strictObject({
    name: Name,
    protocol: test.protocol.unwrap().optional(),
    request: test.request,
    check_verdicts: test.check_verdicts,
    answer: test.answer,
    expected: z.strictObject({ outcome: expected.outcome, field: expected.field, rule: expected.rule }),
  })
  .meta({ id: "PolicyFileTest" });
export type FileTest = z.output<typeof FileTest>;

const { name: guardrailName, ...guardrailFields } = GuardrailFields.shape;
export const FileCheck = ExternalCheckSettings.extend({ secret: Secret.optional() }).meta({
  id: "PolicyFileExternalCheck",
});
export type FileCheck = z.output<typeof FileCheck>;
export const FileGuardrail = z
  .strictObject({
    name: guardrailName,
    copy,
    ...z.object(guardrailFields).partial().shape,
    external_checks: z.array(FileCheck).max(MAX_CHECKS).nullish(),
    tests_required: z.boolean().optional(),
    tests: z.array(FileTest).max(MAX_TESTS).optional(),
  })
  .meta({ id: "PolicyFileGuardrail" });
export type FileGuardrail = z.output<typeof FileGuardrail>;

export const FileVersion = z
  .strictObject({
    in_use: z.literal(true).optional(),
    labels: z.array(PresetLabel).min(1).optional(),
    config: z.record(z.string(), z.unknown()),
    system_prompt: z.string().min(1).optional(),
    message: z.string().trim().min(1).max(500).optional(),
  })
  .refine(({ in_use, labels }) => (in_use ?? labels) !== undefined, "is unreachable: it isn't live and has no label")
  .meta({ id: "PolicyFilePresetVersion" });
export type FileVersion = z.output<typeof FileVersion>;

const hasOneInUse = (versions: readonly FileVersion[]) => versions.filter(({ in_use }) => in_use).length === 1;
const hasLabelsOnce = (versions: readonly FileVersion[]) => {
  const labels = versions.flatMap(({ labels = [] }) => labels);
  return new Set(labels).size === labels.length;
};

export const FilePreset = z
  .strictObject({
    slug: PresetSlug,
    name: Name.optional(),
    description: UpdatePresetBody.shape.description,
    status: z.enum(["active", "disabled"]).optional(),
    versions: z
      .array(FileVersion)
      .min(1)
      .refine(hasOneInUse, "must have exactly one version with in_use: true")
      .refine(hasLabelsOnce, "has the same label on two versions"),
  })
  .meta({ id: "PolicyFilePreset" });
export type FilePreset = z.output<typeof FilePreset>;

export const FileKey = z
  .strictObject({
    name: z.string().min(1).max(200),
    copy,
    guardrail: Reference.optional(),
    limit: CreateKeyBody.shape.limit,
    limit_reset: CreateKeyBody.shape.limit_reset,
    include_byok_in_limit: CreateKeyBody.shape.include_byok_in_limit,
  })
  .meta({ id: "PolicyFileKey" });
export type FileKey = z.output<typeof FileKey>;

export const FileMember = z
  .strictObject({ email: z.string().min(3).max(320), guardrail: Reference })
  .meta({ id: "PolicyFileMember" });
export type FileMember = z.output<typeof FileMember>;

const workspace = CreateWorkspaceBody.shape;
export const FileWorkspace = z
  .strictObject({
    slug: workspace.slug.unwrap(),
    name: Name,
    description: workspace.description,
    content_logging: workspace.content_logging.meta({ description: "Defaults to false in a file" }),
    content_retention_days: workspace.content_retention_days,
    metadata_retention_days: workspace.metadata_retention_days,
    regions: workspace.regions,
    allow_unpriced_models: workspace.allow_unpriced_models,
    default_guardrail: Reference.optional(),
    guardrails: z.array(FileGuardrail).optional(),
    presets: z.array(FilePreset).optional(),
    keys: z
      .array(FileKey)
      .optional()
      .meta({ description: "Guardrails and limits of inference keys; keys themselves are never created or deleted" }),
    members: z
      .array(FileMember)
      .optional()
      .meta({ description: "Guardrails of members; members themselves are never created or removed" }),
  })
  .meta({ id: "PolicyFileWorkspace" });
export type FileWorkspace = z.output<typeof FileWorkspace>;

const PlacedReference = z
  .strictObject({ workspace: workspace.slug.unwrap(), name: z.string().min(1).max(200), copy })
  .meta({ id: "PolicyFilePlacedReference" });
export type PlacedReference = z.output<typeof PlacedReference>;

const alert = CreateAlertBody.shape;
const alertName = z.string().min(1).max(200);
/** Names in a file for a rule's filters. */
const FILTER_FIELDS: Readonly<Record<string, string>> = {
  key_hash: "key",
  user_id: "member",
  guardrail_id: "guardrail",
};
export const FileAlert = z
  .strictObject({
    name: alert.name,
    copy,
    kind: alert.kind,
    threshold: alert.threshold,
    window_minutes: alert.window_minutes,
    min_requests: alert.min_requests,
    quiet_minutes: alert.quiet_minutes,
    workspace: workspace.slug.unwrap().optional().meta({ description: "All workspaces when omitted" }),
    key: PlacedReference.optional(),
    member: z.string().min(3).max(320).optional().meta({ description: "Email address" }),
    guardrail: PlacedReference.optional(),
    provider: provider.slug.optional(),
    webhooks: z
      .array(z.union([alertName, z.strictObject({ name: alertName, copy })]))
      .max(MOST_WEBHOOKS_OF_RULE)
      .optional()
      .meta({ description: "By description, or by host if they have none; webhooks are never created or deleted" }),
    slack_url: Secret.optional(),
    emails: alert.emails,
    enabled: alert.enabled,
  })
  .superRefine(({ kind, threshold, window_minutes, key: key_hash, member, guardrail, provider: slug }, context) => {
    const isSet = (given: unknown) => (given === undefined ? null : "set");
    const filters = {
      key_hash: isSet(key_hash),
      user_id: isSet(member),
      guardrail_id: isSet(guardrail),
      provider: isSet(slug),
    };
    const rule = { kind, threshold, ...(window_minutes !== undefined && { window_minutes }), ...filters };
    for (const { path, message } of kindIssues(rule))
      context.addIssue({ code: "custom", path: path.map((field) => FILTER_FIELDS[field] ?? field), message });
  })
  .meta({ id: "PolicyFileAlert" });
export type FileAlert = z.output<typeof FileAlert>;

/** An organization's whole policy, by names. Missing fields have their defaults; missing lists are not managed. */
export const PolicyFile = z
  .strictObject({
    version: z.literal(1),
    providers: z.array(FileProvider).optional(),
    models: z.array(FileModel).optional(),
    workspaces: z.array(FileWorkspace).optional(),
    alerts: z.array(FileAlert).optional(),
  })
  .meta({ id: "PolicyFile" });
export type PolicyFile = z.output<typeof PolicyFile>;

const revision = z.number().int().min(1);

/** IDs and revisions behind a file's names at the time of the export. */
export const PolicyFileObjects = z
  .object({
    workspaces: z.array(z.object({ slug: z.string(), id: Uuid })),
    guardrails: z.array(
      z.object({ workspace: z.string(), name: z.string(), copy: z.number().int(), id: Uuid, revision }),
    ),
    presets: z.array(z.object({ workspace: z.string(), slug: z.string(), revision, status: z.string() })),
    keys: z.array(z.object({ workspace: z.string(), name: z.string(), copy: z.number().int(), hash: z.string() })),
    members: z.array(z.object({ email: z.string(), id: z.string() })),
    alerts: z.array(z.object({ name: z.string(), copy: z.number().int(), id: Uuid })),
    webhooks: z.array(z.object({ name: z.string(), copy: z.number().int(), id: Uuid })),
  })
  .meta({ id: "PolicyFileObjects" });
export type PolicyFileObjects = z.output<typeof PolicyFileObjects>;

export const exportPolicy = operation({
  tag: "Policy",
  access: "management",
  id: "exportPolicy",
  permission: "guardrails:read",
  method: "GET",
  path: "/policy/export",
  summary:
    "Export the organization's policy as one document, by names and without secrets; equal policies give identical bytes",
  downloads: ["application/json", "application/yaml"],
  query: z.object({
    format: z.enum(["json", "yaml"]).optional().meta({
      description:
        "yaml, or `Accept: application/yaml`: the canonical file; json also includes the IDs and revisions behind its names",
    }),
  }),
  status: 200,
  result: envelope(PolicyFile).extend({ objects: PolicyFileObjects }),
});
