import {
  bulkAssignKeys,
  bulkAssignMembers,
  bulkUnassignKeys,
  bulkUnassignMembers,
} from "../records/guardrails/assignments-contract";
import { createGuardrail, deleteGuardrail, updateGuardrail } from "../records/guardrails/contract";
import { updateKey } from "../records/keys/contract";
import { createModel, deleteModel, updateModel } from "../records/models/contract";
import { UNRESTRICTED_FIELDS } from "../engine/policy/contract";
import {
  defaultVendor,
  ENDPOINT_DEFAULTS,
  providerDefaults,
  WORKSPACE_DEFAULTS,
} from "../features/policy-file/canonical";
import type { FileProvider, FileWorkspace, Reference } from "../features/policy-file/contract";
import type { Change, Kind } from "../features/policy-file/diff";
import { updatePolicyTests } from "../features/policy-tests/contract";
import { createProvider, deleteProvider, updateProvider } from "../records/providers/contract";
import { createWorkspace, updateWorkspace } from "../records/workspaces/contract";
import { applyAlert } from "./alert-step";
import type { Api } from "./api";
import { guardrailBody } from "./bodies";
import { CliError } from "./cli-error";
import { applyPreset } from "./preset-step";
import { sendsSecrets } from "./secrets";
import type { Environment, Step } from "./step";
import type { Planned } from "./state";
import { applyTests } from "./test-step";

const STEPS: Readonly<Record<Kind, (step: Step) => Promise<void>>> = {
  provider: makeProvider,
  model: makeModel,
  workspace: makeWorkspace,
  guardrail: makeGuardrail,
  preset: (step) =>
    applyPreset(
      step,
      workspaceOf(step).presets?.find(({ slug }) => slug === step.change.name),
    ),
  key: makeKey,
  member: makeMember,
  default_guardrail: makeDefault,
  alert: applyAlert,
};

/** Applies one change through the API, at the revision read by the plan. */
export const applyStep = (
  api: Api,
  change: Change,
  { wanted, install }: Pick<Planned, "wanted" | "install">,
  environment: Environment,
): Promise<void> => STEPS[change.kind]({ api, change, wanted, install, environment });

function one<T>(list: readonly T[] | undefined, isThis: (value: T) => boolean): T {
  const value = list?.find(isThis);
  if (value === undefined) throw new CliError("missing in the policy file");
  return value;
}

const workspaceOf = ({ change, wanted }: Step): FileWorkspace =>
  one(wanted.workspaces, ({ slug }) => slug === (change.workspace ?? change.name));

function secretsOf({ api_key, credentials, headers }: FileProvider, environment: Environment) {
  const value = ({ env }: { env: string }) => environment[env] ?? "";
  const each = (secrets: Readonly<Record<string, { env: string }>> | undefined) =>
    secrets ? Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [name, value(secret)])) : null;
  return { api_key: api_key ? value(api_key) : null, credentials: each(credentials), headers: each(headers) };
}

async function makeProvider({ api, change, wanted, environment }: Step): Promise<void> {
  const params = { slug: change.name };
  if (change.action === "delete") {
    await api.call(deleteProvider, { params });
    return;
  }
  const { api_key, credentials, headers, slug, ...fields } = one(
    wanted.providers,
    (provider) => provider.slug === change.name,
  );
  const secrets =
    sendsSecrets(change.fields) || change.action === "create"
      ? secretsOf({ api_key, credentials, headers, slug, ...fields }, environment)
      : {};
  const body = { ...providerDefaults(fields), settings: null, ...fields, ...secrets };
  if (change.action === "create") await api.call(createProvider, { body: { slug, ...body } });
  else await api.call(updateProvider, { params, body });
}

async function makeModel({ api, change, wanted }: Step): Promise<void> {
  const slug = change.name;
  if (change.action === "delete") {
    await api.call(deleteModel, { params: { slug } });
    return;
  }
  const { slug: _, endpoints, ...fields } = one(wanted.models, (model) => model.slug === slug);
  const body = {
    canonical_slug: slug,
    name: slug,
    vendor: defaultVendor(slug, endpoints),
    context_length: null,
    distillable: null,
    ...fields,
    endpoints: endpoints.map((endpoint) => ({ ...ENDPOINT_DEFAULTS, ...endpoint })),
  };
  if (change.action === "create") await api.call(createModel, { body: { slug, ...body } });
  else await api.call(updateModel, { params: { slug }, body });
}

async function makeWorkspace({ api, change, wanted, install }: Step): Promise<void> {
  const {
    slug,
    name,
    content_logging = WORKSPACE_DEFAULTS.content_logging,
    ...rest
  } = one(wanted.workspaces, (workspace) => workspace.slug === change.name);
  const { description = null, content_retention_days = null, metadata_retention_days = null, regions = [] } = rest;
  const { allow_unpriced_models = false } = rest;
  const retention = { content_retention_days, metadata_retention_days };
  const body = { name, description, content_logging, ...retention, regions, allow_unpriced_models };
  if (change.action === "create")
    install.addWorkspace(slug, (await api.call(createWorkspace, { body: { slug, ...body } })).data.id);
  else await api.call(updateWorkspace, { params: { id: install.workspace(slug) }, body });
}

async function makeGuardrail(step: Step): Promise<void> {
  const { api, change, install, environment } = step;
  const workspace = change.workspace ?? "";
  if (change.action === "delete") {
    const { id, revision } = install.guardrail(workspace, change);
    await api.call(deleteGuardrail, { params: { id }, ifMatch: revision });
    return;
  }
  const fields = one(
    workspaceOf(step).guardrails,
    ({ name, copy = 1 }) => name === change.name && copy === change.copy,
  );
  const changed = new Set(change.fields.map(({ field }) => field));
  const body = guardrailBody(
    fields,
    changed.has("external_checks") ? (secret) => (secret ? (environment[secret.env] ?? "") : null) : undefined,
  );
  if (change.action === "create") {
    const { data } = await api.call(createGuardrail, { body: { ...body, workspace_id: install.workspace(workspace) } });
    install.setGuardrail(workspace, change, data);
    if (fields.tests) await applyTests(api, data.id, fields.tests);
    if (fields.tests_required)
      await api.call(updatePolicyTests, { params: { id: data.id }, body: { tests_required: true } });
    return;
  }
  const known = install.guardrail(workspace, change);
  const params = { id: known.id };
  // Tests are applied first, so that removed tests don't block the guardrail's change.
  if (changed.has("tests")) await applyTests(api, known.id, fields.tests ?? []);
  if (Object.keys(UNRESTRICTED_FIELDS).some((field) => changed.has(field))) {
    install.setGuardrail(
      workspace,
      change,
      (await api.call(updateGuardrail, { params, body, ifMatch: known.revision })).data,
    );
  }
  if (changed.has("tests_required"))
    await api.call(updatePolicyTests, { params, body: { tests_required: fields.tests_required ?? false } });
}

const heldBefore = ({ fields }: Change): Reference | null =>
  (fields.find(({ field }) => field === "guardrail")?.before ?? null) as Reference | null;

async function makeKey(step: Step): Promise<void> {
  const { api, change, install } = step;
  const workspace = change.workspace ?? "";
  const hash = install.key(workspace, change);
  const entry = workspaceOf(step).keys?.find(({ name, copy = 1 }) => name === change.name && copy === change.copy);
  if (change.fields.some(({ field }) => field !== "guardrail")) {
    const body = {
      limit: entry?.limit ?? null,
      limit_reset: entry?.limit_reset ?? null,
      include_byok_in_limit: entry?.include_byok_in_limit ?? false,
    };
    await api.call(updateKey, { params: { hash }, body });
  }
  if (!change.fields.some(({ field }) => field === "guardrail")) return;
  const body = { key_hashes: [hash] };
  const before = heldBefore(change);
  if (entry?.guardrail)
    await api.call(bulkAssignKeys, { params: { id: install.guardrail(workspace, entry.guardrail).id }, body });
  else if (before) await api.call(bulkUnassignKeys, { params: { id: install.guardrail(workspace, before).id }, body });
}

async function makeMember(step: Step): Promise<void> {
  const { api, change, install } = step;
  const workspace = change.workspace ?? "";
  const body = { member_user_ids: [install.member(change.name)] };
  const entry = workspaceOf(step).members?.find(({ email }) => email.toLowerCase() === change.name);
  const before = heldBefore(change);
  if (entry)
    await api.call(bulkAssignMembers, { params: { id: install.guardrail(workspace, entry.guardrail).id }, body });
  else if (before)
    await api.call(bulkUnassignMembers, { params: { id: install.guardrail(workspace, before).id }, body });
}

async function makeDefault(step: Step): Promise<void> {
  const { api, change, install } = step;
  const { default_guardrail } = workspaceOf(step);
  const default_guardrail_id = default_guardrail ? install.guardrail(change.name, default_guardrail).id : null;
  await api.call(updateWorkspace, { params: { id: install.workspace(change.name) }, body: { default_guardrail_id } });
}
