import { BUILT_IN, parseReference } from "../features/policy-file/canonical";
import {
  exportPolicy,
  type PolicyFile,
  type PolicyFileObjects,
  type Reference,
} from "../features/policy-file/contract";
import { diff, type Diff } from "../features/policy-file/diff";
import { referenceProblems, type Referenced } from "../features/policy-file/references";
import type { Api } from "./api";
import { CliError } from "./cli-error";
import { readPolicyFile } from "./read-file";

interface Guardrail {
  id: string;
  revision: number;
}

const keyOf = (workspace: string, name: string, copy = 1) => JSON.stringify([workspace, name, copy]);

/** Resolves the file's names to the install's ids; grows as objects are created. */
export class Install {
  readonly #workspaces: Map<string, string>;
  readonly #guardrails: Map<string, Guardrail>;
  readonly #presets: Map<string, { revision: number }>;
  readonly #keys: Map<string, string>;
  readonly #members: Map<string, string>;
  readonly #providers: ReadonlySet<string>;
  readonly #alerts: Map<string, string>;
  readonly #webhooks: Map<string, string>;

  constructor(live: PolicyFile, objects: PolicyFileObjects) {
    this.#providers = new Set([BUILT_IN, ...(live.providers ?? []).map(({ slug }) => slug)]);
    this.#workspaces = new Map(objects.workspaces.map(({ slug, id }) => [slug, id]));
    this.#guardrails = new Map(
      objects.guardrails.map(({ workspace, name, copy, id, revision }) => [
        keyOf(workspace, name, copy),
        { id, revision },
      ]),
    );
    this.#presets = new Map(
      objects.presets.map(({ workspace, slug, revision }) => [keyOf(workspace, slug), { revision }]),
    );
    this.#keys = new Map(objects.keys.map(({ workspace, name, copy, hash }) => [keyOf(workspace, name, copy), hash]));
    const byName = (list: PolicyFileObjects["alerts"]) =>
      new Map(list.map(({ name, copy, id }) => [keyOf("", name, copy), id]));
    this.#alerts = byName(objects.alerts);
    this.#webhooks = byName(objects.webhooks);
    this.#members = new Map(objects.members.map(({ email, id }) => [email.toLowerCase(), id]));
  }

  has({ kind, workspace, name, copy }: Referenced): boolean {
    const byName = { provider: this.#providers, workspace: this.#workspaces, member: this.#members };
    if (kind === "provider" || kind === "workspace" || kind === "member") return byName[kind].has(name);
    const byPlace: Partial<Record<Referenced["kind"], ReadonlyMap<string, unknown>>> = {
      guardrail: this.#guardrails,
      key: this.#keys,
      alert: this.#alerts,
      webhook: this.#webhooks,
    };
    return byPlace[kind]?.has(keyOf(workspace ?? "", name, copy)) ?? false;
  }

  findWorkspace = (slug: string) => this.#workspaces.get(slug);
  workspace = (slug: string) => found(this.findWorkspace(slug), `workspace ${slug}`);
  addWorkspace = (slug: string, id: string) => void this.#workspaces.set(slug, id);

  findGuardrail = (workspace: string, given: Reference) => {
    const { name, copy } = parseReference(given);
    return this.#guardrails.get(keyOf(workspace, name, copy));
  };
  guardrail = (workspace: string, given: Reference) =>
    found(this.findGuardrail(workspace, given), `guardrail ${parseReference(given).name}`);
  setGuardrail(
    workspace: string,
    { name, copy }: { name: string; copy: number },
    { id, revision }: { id: string; revision: number },
  ): Guardrail {
    const guardrail = { id, revision };
    this.#guardrails.set(keyOf(workspace, name, copy), guardrail);
    return guardrail;
  }

  findPreset = (workspace: string, slug: string) => this.#presets.get(keyOf(workspace, slug));
  key = (workspace: string, { name, copy }: { name: string; copy: number }) =>
    found(this.#keys.get(keyOf(workspace, name, copy)), `key ${name}`);
  alert = ({ name, copy }: { name: string; copy: number }) =>
    found(this.#alerts.get(keyOf("", name, copy)), `alert ${name}`);
  webhook = (given: Reference) => {
    const { name, copy } = parseReference(given);
    return found(this.#webhooks.get(keyOf("", name, copy)), `webhook ${name}`);
  };
  member = (email: string) => found(this.#members.get(email), `member ${email}`);
}

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new CliError(`${what} does not exist`);
  return value;
}

export interface Planned extends Diff {
  wanted: PolicyFile;
  /** The policy before the changes. */
  live: PolicyFile;
  install: Install;
}

/** Reads the file and the install and computes the changes; rejects a file with missing references. */
export async function planFile(api: Api, path: string, { prune }: { prune: boolean }): Promise<Planned> {
  const { file: wanted, refuse } = await readPolicyFile(path);
  const { data: live, objects } = await api.call(exportPolicy);
  const install = new Install(live, objects);
  const problems = referenceProblems(wanted, install);
  if (problems.length > 0) refuse(problems);
  return { ...diff(live, wanted, { prune }), wanted, live, install };
}
