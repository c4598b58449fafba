import { randomBytes } from "node:crypto";
import {
  bulkAssignKeys,
  bulkAssignMembers,
  listKeyAssignments,
  listMemberAssignments,
} from "../records/guardrails/assignments-contract";
import { createGuardrail, listGuardrails } from "../records/guardrails/contract";
import { createKey, listKeys } from "../records/keys/contract";
import { createMember, listMembers } from "../records/members/contract";
import { createWorkspace, getWorkspace, listWorkspaces, updateWorkspace } from "../records/workspaces/contract";
import { listAll, type Api } from "./api";
import { DEFAULT_GUARDRAIL, GUARDRAILS } from "./guardrails";
import { PEOPLE, RESEARCH } from "./people";
import { TEAMS, type Team } from "./teams";

/** IDs of the sample data by name. */
export interface Organization {
  workspaceIds: Readonly<Record<Team["workspace"], string>>;
  userIds: ReadonlyMap<string, string>;
  guardrailIds: ReadonlyMap<string, string>;
  /** Keys by name; the key text is known only for new keys. */
  keys: ReadonlyMap<string, { hash: string; text?: string }>;
}

/** Creates what is missing. */
export async function fillOrganization(api: Api, say: (line: string) => void): Promise<Organization> {
  const workspaceIds = await fillWorkspaces(api);
  say("workspaces: 2");
  const userIds = await fillMembers(api);
  say(`members: ${PEOPLE.length}`);
  const guardrailIds = await fillGuardrails(api, workspaceIds);
  say(`guardrails: ${GUARDRAILS.length}`);
  const keys = await fillKeys(api, workspaceIds, userIds);
  say(`inference keys: ${keys.size}`);
  const organization = { workspaceIds, userIds, guardrailIds, keys };
  say(
    `assignments: ${await assignKeys(api, organization)} new of keys, ${await assignMembers(api, organization)} new of members`,
  );
  return organization;
}

async function fillWorkspaces(api: Api): Promise<Organization["workspaceIds"]> {
  const existing = await listAll((query) => api.call(listWorkspaces, { query }));
  const first = existing.find(({ is_default }) => is_default);
  if (!first) throw new Error("the organization has no default workspace");
  const research =
    existing.find(({ slug }) => slug === RESEARCH.slug) ?? (await api.call(createWorkspace, { body: RESEARCH })).data;
  return { default: first.id, research: research.id };
}

async function fillMembers(api: Api): Promise<Map<string, string>> {
  const existing = await listAll((query) => api.call(listMembers, { query }));
  const userIds = new Map(existing.map(({ email, id }) => [email, id]));
  for (const { isInvited, ...person } of PEOPLE) {
    if (userIds.has(person.email)) continue;
    // Nobody signs in as these members, so the password is discarded.
    const password = isInvited ? undefined : randomBytes(24).toString("base64url");
    const { data } = await api.call(createMember, { body: { ...person, password } });
    userIds.set(data.email, data.id);
  }
  return userIds;
}

async function fillGuardrails(api: Api, workspaceIds: Organization["workspaceIds"]): Promise<Map<string, string>> {
  const existing = await listAll((query) => api.call(listGuardrails, { query }));
  const guardrailIds = new Map(existing.map(({ name, id }) => [name, id]));
  for (const { workspace, fields } of GUARDRAILS) {
    if (guardrailIds.has(fields.name)) continue;
    const { data } = await api.call(createGuardrail, { body: { ...fields, workspace_id: workspaceIds[workspace] } });
    guardrailIds.set(data.name, data.id);
  }
  const params = { id: workspaceIds.default };
  const { data } = await api.call(getWorkspace, { params });
  const default_guardrail_id = data.default_guardrail_id ?? guardrailIds.get(DEFAULT_GUARDRAIL);
  if (data.default_guardrail_id === null) await api.call(updateWorkspace, { params, body: { default_guardrail_id } });
  return guardrailIds;
}

async function fillKeys(api: Api, workspaceIds: Organization["workspaceIds"], userIds: Organization["userIds"]) {
  const existing = await listAll((query) => api.call(listKeys, { query: { ...query, include_disabled: "true" } }));
  const keys = new Map<string, { hash: string; text?: string }>();
  for (const { name: team, workspace, owner, tags, keys: wanted } of TEAMS) {
    for (const { name, limit, isOnce } of wanted) {
      const found = existing.find((key) => key.name === name);
      if (found) {
        keys.set(name, { hash: found.hash });
        continue;
      }
      const body = {
        name,
        tags: [`team:${team.toLowerCase().replaceAll(" ", "-")}`, ...tags],
        limit,
        limit_reset: limit === null || isOnce ? null : ("monthly" as const),
        workspace_id: workspaceIds[workspace],
      };
      const { data, key } = await api.call(createKey, {
        body: { ...body, creator_user_id: userIds.get(owner) ?? null },
      });
      keys.set(name, { hash: data.hash, text: key });
    }
  }
  return keys;
}

/** Skips keys that already have a guardrail. */
async function assignKeys(api: Api, { guardrailIds, keys }: Organization): Promise<number> {
  const assignments = await listAll((query) => api.call(listKeyAssignments, { query }));
  const taken = new Set(assignments.map(({ key_hash }) => key_hash));
  let assigned = 0;
  for (const { guardrail, keys: names } of TEAMS) {
    const id = guardrail === null ? undefined : guardrailIds.get(guardrail);
    const key_hashes = names.flatMap(({ name }) => keys.get(name)?.hash ?? []).filter((hash) => !taken.has(hash));
    if (id && key_hashes.length > 0)
      assigned += (await api.call(bulkAssignKeys, { params: { id }, body: { key_hashes } })).assigned_count;
  }
  return assigned;
}

/** Skips members who already have a guardrail. */
async function assignMembers(api: Api, { guardrailIds, userIds }: Organization): Promise<number> {
  const assignments = await listAll((query) => api.call(listMemberAssignments, { query }));
  const taken = new Set(assignments.map(({ user_id }) => user_id));
  let assigned = 0;
  for (const { fields, members = [] } of GUARDRAILS) {
    const id = guardrailIds.get(fields.name);
    const member_user_ids = members.flatMap((email) => userIds.get(email) ?? []).filter((userId) => !taken.has(userId));
    if (id && member_user_ids.length > 0)
      assigned += (await api.call(bulkAssignMembers, { params: { id }, body: { member_user_ids } })).assigned_count;
  }
  return assigned;
}
