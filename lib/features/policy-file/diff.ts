import { canonical, contentOf, stableStringify } from "./canonical";
import type { FileGuardrail, FilePreset, FileProvider, FileWorkspace, PolicyFile } from "./contract";

/** Kinds in order of creation; each refers only to earlier ones. */
export const KINDS = [
  "provider",
  "model",
  "workspace",
  "guardrail",
  "preset",
  "key",
  "member",
  "default_guardrail",
  "alert",
] as const;
export type Kind = (typeof KINDS)[number];

/** Identifies an object in a file. `name` is a slug, an email address, or a name with its copy number. */
export interface Identity {
  kind: Kind;
  /** Null for organization-wide objects. */
  workspace: string | null;
  name: string;
  copy: number;
}

export interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
}

export interface Change extends Identity {
  action: "create" | "update" | "delete";
  fields: FieldChange[];
}

export interface Diff {
  /** In order of application. */
  changes: Change[];
  /** Objects missing in the file that stay because deletion is off. */
  extra: Identity[];
}

type Fields = Readonly<Record<string, unknown>>;
type Objects = Map<string, Identity & { fields: Fields }>;

const idOf = ({ kind, workspace, name, copy }: Identity) => JSON.stringify([kind, workspace, name, copy]);

/** Kinds whose objects are never created or deleted, only configured. */
const SETTINGS: ReadonlySet<Kind> = new Set(["key", "member", "default_guardrail"]);

function fieldsOfPreset({ versions, slug: _, ...fields }: FilePreset): Fields {
  const pointed = versions.flatMap((version) => [
    ...(version.in_use ? [["live version", contentOf(version)]] : []),
    ...(version.labels ?? []).map((label) => [`label ${label}`, contentOf(version)]),
  ]);
  return { ...fields, ...(Object.fromEntries(pointed) as Fields) };
}

/** A list of a file. */
interface List {
  kind: Kind;
  workspace: string | null;
  objects: readonly { name: string; copy: number; fields: Fields }[];
}

/** Returns a list of a file; none if the file lacks it, because its kind isn't managed then. */
const listOf = <T extends object>(
  kind: Kind,
  workspace: string | null,
  list: readonly T[] | undefined,
  nameOf: (one: T) => string,
  fieldsOf: (one: T) => Fields,
): List[] =>
  list
    ? [
        {
          kind,
          workspace,
          objects: list.map((one) => ({ name: nameOf(one), copy: copyOf(one), fields: fieldsOf(one) })),
        },
      ]
    : [];

const copyOf = (one: object): number => ("copy" in one && typeof one.copy === "number" ? one.copy : 1);
const slugOf = ({ slug }: { slug: string }) => slug;
const nameOf = ({ name }: { name: string }) => name;
const emailOf = ({ email }: { email: string }) => email;

const withoutSlug = ({ slug: _, ...fields }: { slug: string }): Fields => fields;
const withoutName = ({ name: _, copy: __, ...fields }: { name: string; copy?: number | undefined }): Fields => fields;
const withoutEmail = ({ email: _, ...fields }: { email: string }): Fields => fields;

const listsOfWorkspace = ({
  slug,
  guardrails,
  presets,
  keys,
  members,
  default_guardrail,
  ...settings
}: FileWorkspace): List[] => [
  ...listOf("workspace", null, [{ slug, ...settings }], slugOf, withoutSlug),
  ...listOf("guardrail", slug, guardrails, nameOf, (one) => ({ ...withoutName(one), ...checksOf(one) })),
  ...listOf("preset", slug, presets, slugOf, fieldsOfPreset),
  ...listOf("key", slug, keys, nameOf, withoutName),
  ...listOf("member", slug, members, emailOf, withoutEmail),
  ...listOf("default_guardrail", slug, [{ slug }], slugOf, () =>
    default_guardrail === undefined ? {} : { guardrail: default_guardrail },
  ),
];

function listsOf(file: PolicyFile): List[] {
  const { providers, models, workspaces, alerts } = canonical(file);
  return [
    ...listOf("provider", null, providers, slugOf, (one) => ({ ...withoutSlug(one), ...secretsOf(one) })),
    ...listOf("model", null, models, slugOf, withoutSlug),
    ...listOf("alert", null, alerts, nameOf, ({ slack_url, ...one }) => ({
      ...withoutName(one),
      ...(slack_url && { slack_url: "set" }),
    })),
    ...(workspaces ?? []).flatMap(listsOfWorkspace),
  ];
}

/** Maps a file's objects by identity; kinds whose list is missing aren't managed. */
function objectsOf(file: PolicyFile): { objects: Objects; managed: ReadonlySet<string> } {
  const objects: Objects = new Map();
  const lists = listsOf(file);
  for (const { kind, workspace, objects: listed } of lists)
    for (const { fields, ...identified } of listed) {
      const identity: Identity = { kind, workspace, ...identified };
      objects.set(idOf(identity), { ...identity, fields });
    }
  return { objects, managed: new Set(lists.map(({ kind, workspace }) => `${kind} ${workspace}`)) };
}

/**
 * Reduces secrets to their presence, and credentials and headers to their names, because neither side contains values.
 */
const secretsOf = ({
  api_key,
  credentials,
  headers,
}: Pick<FileProvider, "api_key" | "credentials" | "headers">): Fields => ({
  ...(api_key && { api_key: "set" }),
  ...(credentials && { credentials: Object.keys(credentials).sort() }),
  ...(headers && { headers: Object.keys(headers).sort() }),
});

/** Reduces the secrets of external checks to their presence. */
const checksOf = ({ external_checks }: Pick<FileGuardrail, "external_checks">): Fields =>
  external_checks
    ? {
        external_checks: external_checks.map(({ secret, ...check }) => ({
          ...check,
          ...(secret && { secret: "set" }),
        })),
      }
    : {};

function changedFields(before: Fields, after: Fields): FieldChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((field) =>
    stableStringify(before[field]) === stableStringify(after[field])
      ? []
      : [{ field, before: before[field] ?? null, after: after[field] ?? null }],
  );
}

/**
 * Computes the changes from an installation's state to a file. With `prune`, deletes objects missing in the file's
 * lists. Workspaces are never deleted; a workspace missing in the file stays unchanged with its contents.
 */
export function diff(live: PolicyFile, wanted: PolicyFile, { prune }: { prune: boolean }): Diff {
  const [before, after] = [objectsOf(live).objects, objectsOf(wanted)];
  const made = [...after.objects.entries()].flatMap(([id, { fields, ...identity }]): Change[] => {
    const known = before.get(id);
    const changed = changedFields(known?.fields ?? {}, fields);
    if (known) return changed.length > 0 ? [{ ...identity, action: "update", fields: changed }] : [];
    return SETTINGS.has(identity.kind)
      ? changed.length > 0
        ? [{ ...identity, action: "update", fields: changed }]
        : []
      : [{ ...identity, action: "create", fields: changed }];
  });
  const extra = [...before.entries()].flatMap(([id, { fields, ...identity }]): Change[] =>
    after.objects.has(id) ||
    identity.kind === "workspace" ||
    !after.managed.has(`${identity.kind} ${identity.workspace}`)
      ? []
      : [{ ...identity, action: SETTINGS.has(identity.kind) ? "update" : "delete", fields: changedFields(fields, {}) }],
  );
  const place = ({ kind }: Change) => KINDS.indexOf(kind);
  const cleared = prune ? extra.filter(({ action }) => action === "update") : [];
  const deleted = prune
    ? extra.filter(({ action }) => action === "delete").toSorted((a, b) => place(b) - place(a))
    : [];
  return {
    changes: [...[...made, ...cleared].toSorted((a, b) => place(a) - place(b) || byWorkspace(a, b)), ...deleted],
    extra: prune ? [] : extra.map(({ kind, workspace, name, copy }) => ({ kind, workspace, name, copy })),
  };
}

/** Orders objects of the same name by creation, because the oldest is the first. */
const byWorkspace = (a: Change, b: Change) =>
  (a.workspace ?? "").localeCompare(b.workspace ?? "", "en") || a.name.localeCompare(b.name, "en") || a.copy - b.copy;
