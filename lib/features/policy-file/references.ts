import { parseReference } from "./canonical";
import type { FileAlert, FileWorkspace, PolicyFile, Reference } from "./contract";
import type { Identity, Kind } from "./diff";

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

/** Reports duplicates in a file, and references to objects that exist neither in the file nor in the installation. */
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

/** Reports objects with a gap before their copy number. */
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
