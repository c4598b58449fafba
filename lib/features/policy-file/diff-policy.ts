import { canonical, contentOf, parseReference, stableStringify } from "./canonical-policy";
import type { FileAlert, FileGuardrail, FilePreset, FileWorkspace, PolicyFile, Reference } from "./contract";

/** Kinds in order of creation: each refers only to earlier ones. */
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
  /** Objects missing in the file that are kept because deletion is off. */
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

/** Maps a file's objects by identity; kinds whose list is missing aren't managed. */
function objectsOf(file: PolicyFile): { objects: Objects; managed: ReadonlySet<string> } {
  const objects: Objects = new Map();
  const managed = new Set<string>();
  const put = <T extends object>(
    kind: Kind,
    workspace: string | null,
    list: readonly T[] | undefined,
    nameOf: (one: T) => string,
    fieldsOf: (one: T) => Fields,
  ) => {
    if (list) managed.add(`${kind} ${workspace}`);
    for (const one of list ?? []) {
      const copy = "copy" in one && typeof one.copy === "number" ? one.copy : 1;
      const identity: Identity = { kind, workspace, name: nameOf(one), copy };
      objects.set(idOf(identity), { ...identity, fields: fieldsOf(one) });
    }
  };
  const { providers, models, workspaces, alerts } = canonical(file);
  put(
    "provider",
    null,
    providers,
    ({ slug }) => slug,
    ({ slug: _, ...fields }) => ({ ...fields, ...secretsOf(fields) }),
  );
  put(
    "model",
    null,
    models,
    ({ slug }) => slug,
    ({ slug: _, ...fields }) => fields,
  );
  put(
    "alert",
    null,
    alerts,
    ({ name }) => name,
    ({ name: _, copy: __, slack_url, ...fields }) => ({ ...fields, ...(slack_url && { slack_url: "set" }) }),
  );
  for (const { slug, guardrails, presets, keys, members, default_guardrail, ...settings } of workspaces ?? []) {
    put(
      "workspace",
      null,
      [{ slug, ...settings }],
      () => slug,
      ({ slug: _, ...fields }) => fields,
    );
    put(
      "guardrail",
      slug,
      guardrails,
      ({ name }) => name,
      ({ name: _, copy: __, ...fields }) => ({ ...fields, ...checksOf(fields) }),
    );
    put("preset", slug, presets, (preset) => preset.slug, fieldsOfPreset);
    put(
      "key",
      slug,
      keys,
      ({ name }) => name,
      ({ name: _, copy: __, ...fields }) => fields,
    );
    put(
      "member",
      slug,
      members,
      ({ email }) => email,
      ({ email: _, ...fields }) => fields,
    );
    put(
      "default_guardrail",
      slug,
      [{ slug }],
      () => slug,
      () => (default_guardrail === undefined ? {} : { guardrail: default_guardrail }),
    );
  }
  return { objects, managed };
}

/** Reduces secrets to their presence, since neither side contains values; headers to their names. */
const secretsOf = ({ api_key, headers }: { api_key?: unknown; headers?: object | undefined }): Fields => ({
  ...(api_key !== undefined && { api_key: "set" }),
  ...(headers && { headers: Object.keys(headers).sort() }),
});

/** The same for the secrets of external checks. */
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
 * Computes the changes from an install's state to a file. With `prune`, deletes objects missing in the file's lists;
 * workspaces are never deleted, and one missing in the file is left unchanged with its contents.
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

/** Creates objects of the same name in order, since the oldest is the first. */
const byWorkspace = (a: Change, b: Change) =>
  (a.workspace ?? "").localeCompare(b.workspace ?? "", "en") || a.name.localeCompare(b.name, "en") || a.copy - b.copy;

/** An object that a file may reference. */
export type Referenced = Omit<Identity, "kind"> & { kind: Kind | "webhook" };

/** Existing objects that a file may reference. */
export interface Known {
  has: (identity: Referenced) => boolean;
}

export interface Problem {
  /** Path in the file. */
  path: readonly (string | number)[];
  message: string;
}

const NOWHERE = "neither in the file nor on the server";

/** Reports duplicates in a file, and references to objects that exist neither in the file nor in the install. */
export function referenceProblems(file: PolicyFile, known: Known): Problem[] {
  const providers = new Set((file.providers ?? []).map(({ slug }) => slug));
  const hasProvider = (name: string) =>
    providers.has(name) || known.has({ kind: "provider", workspace: null, name, copy: 1 });
  return [
    ...twice(file.providers, "slug", ["providers"], ({ slug }) => slug),
    ...twice(file.models, "slug", ["models"], ({ slug }) => slug),
    ...twice(file.workspaces, "slug", ["workspaces"], ({ slug }) => slug),
    ...(file.models ?? []).flatMap(({ endpoints }, index) =>
      endpoints.flatMap(({ provider }, at): Problem[] =>
        hasProvider(provider)
          ? []
          : [
              {
                path: ["models", index, "endpoints", at, "provider"],
                message: `provider ${provider} doesn't exist, ${NOWHERE}`,
              },
            ],
      ),
    ),
    ...(file.workspaces ?? []).flatMap((workspace, index) =>
      problemsOfWorkspace(workspace, ["workspaces", index], known),
    ),
    ...twice(file.alerts, "name", ["alerts"], named),
    ...gaps(file.alerts ?? [], ["alerts"], (alert) => known.has({ kind: "alert", workspace: null, ...alert })),
    ...(file.alerts ?? []).flatMap((alert, index) =>
      problemsOfAlert(alert, file, { has: (one) => known.has(one), hasProvider }).map(({ path, message }) => ({
        path: ["alerts", index, ...path],
        message,
      })),
    ),
  ];
}

function twice<T>(
  list: readonly T[] | undefined,
  field: string,
  path: Problem["path"],
  nameOf: (one: T) => string,
): Problem[] {
  const seen = new Set<string>();
  return (list ?? []).flatMap((one, index): Problem[] => {
    const name = nameOf(one);
    const isKnown = seen.has(name);
    seen.add(name);
    return isKnown ? [{ path: [...path, index, field], message: "is a duplicate" }] : [];
  });
}

/** Reports objects whose copy number leaves one out. */
function gaps(
  list: readonly { name: string; copy?: number | undefined }[],
  path: Problem["path"],
  isKnown: (one: { name: string; copy: number }) => boolean,
): Problem[] {
  const own = new Set(list.map(named));
  return list.flatMap(({ name, copy = 1 }, index): Problem[] =>
    copy === 1 || own.has(named({ name, copy: copy - 1 })) || isKnown({ name, copy: copy - 1 })
      ? []
      : [{ path: [...path, index, "copy"], message: `copy ${copy - 1} of “${name}” doesn't exist` }],
  );
}

const named = ({ name, copy = 1 }: { name: string; copy?: number | undefined }) => `${name} ${copy}`;
const shown = (given: Reference) => {
  const { name, copy } = parseReference(given);
  return copy === 1 ? `“${name}”` : `“${name}”, copy ${copy}`;
};

function problemsOfWorkspace(
  { slug, default_guardrail, guardrails = [], presets, keys = [], members = [] }: FileWorkspace,
  path: Problem["path"],
  known: Known,
): Problem[] {
  const own = new Set(guardrails.map(named));
  const held = (given: Reference | undefined, at: Problem["path"]): Problem[] => {
    if (given === undefined) return [];
    const { name, copy } = parseReference(given);
    return own.has(named({ name, copy })) || known.has({ kind: "guardrail", workspace: slug, name, copy })
      ? []
      : [
          {
            path: [...path, ...at],
            message: `guardrail ${shown(given)} doesn't exist in workspace ${slug}, ${NOWHERE}`,
          },
        ];
  };
  return [
    ...twice(guardrails, "name", [...path, "guardrails"], named),
    ...gaps(guardrails, [...path, "guardrails"], (guardrail) =>
      known.has({ kind: "guardrail", workspace: slug, ...guardrail }),
    ),
    ...twice(presets, "slug", [...path, "presets"], (preset) => preset.slug),
    ...twice(keys, "name", [...path, "keys"], named),
    ...twice(members, "email", [...path, "members"], ({ email }) => email.toLowerCase()),
    ...held(default_guardrail, ["default_guardrail"]),
    ...keys.flatMap(({ guardrail }, index) => held(guardrail, ["keys", index, "guardrail"])),
    ...members.flatMap(({ guardrail }, index) => held(guardrail, ["members", index, "guardrail"])),
    ...keys.flatMap(({ name, copy = 1 }, index): Problem[] =>
      known.has({ kind: "key", workspace: slug, name, copy })
        ? []
        : [
            {
              path: [...path, "keys", index, "name"],
              message: `inference key ${shown({ name, copy })} doesn't exist in workspace ${slug}: create keys in the console or over the API`,
            },
          ],
    ),
    ...members.flatMap(({ email }, index): Problem[] =>
      known.has({ kind: "member", workspace: slug, name: email.toLowerCase(), copy: 1 })
        ? []
        : [
            {
              path: [...path, "members", index, "email"],
              message: `member ${email} doesn't exist: invite members in the console or over the API`,
            },
          ],
    ),
  ];
}

function problemsOfAlert(
  { workspace, key, member, guardrail, provider, webhooks = [] }: FileAlert,
  file: PolicyFile,
  { has, hasProvider }: Known & { hasProvider: (slug: string) => boolean },
): Problem[] {
  const problem = (field: string, isMissing: boolean, message: string): Problem[] =>
    isMissing ? [{ path: [field], message }] : [];
  const inFile = (slug: string) => file.workspaces?.find((one) => one.slug === slug);
  const hasGuardrail = (given: NonNullable<FileAlert["guardrail"]>) => {
    const { workspace: slug, name, copy = 1 } = given;
    const own = inFile(slug)?.guardrails ?? [];
    return own.map(named).includes(named(given)) || has({ kind: "guardrail", workspace: slug, name, copy });
  };
  return [
    ...problem(
      "workspace",
      workspace !== undefined &&
        !inFile(workspace) &&
        !has({ kind: "workspace", workspace: null, name: workspace, copy: 1 }),
      `workspace ${workspace} doesn't exist, ${NOWHERE}`,
    ),
    ...problem(
      "key",
      key !== undefined && !has({ kind: "key", copy: 1, ...key }),
      `inference key ${key && shown(key)} doesn't exist in workspace ${key?.workspace}: create keys in the console or over the API`,
    ),
    ...problem(
      "member",
      member !== undefined && !has({ kind: "member", workspace: null, name: member.toLowerCase(), copy: 1 }),
      `member ${member} doesn't exist: invite members in the console or over the API`,
    ),
    ...problem(
      "guardrail",
      guardrail !== undefined && !hasGuardrail(guardrail),
      `guardrail ${guardrail && shown(guardrail)} doesn't exist in workspace ${guardrail?.workspace}, ${NOWHERE}`,
    ),
    ...problem(
      "provider",
      provider !== undefined && !hasProvider(provider),
      `provider ${provider} doesn't exist, ${NOWHERE}`,
    ),
    ...webhooks.flatMap((given, index): Problem[] =>
      has({ kind: "webhook", workspace: null, ...parseReference(given) })
        ? []
        : [
            {
              path: ["webhooks", index],
              message: `webhook ${shown(given)} doesn't exist: create webhooks in the console or over the API`,
            },
          ],
    ),
  ];
}
