import { addGroupMembers, createGroup, listGroups } from "../records/groups/contract";
import { createLimit, listLimits, type CreateLimitBody } from "../records/limits/contract";
import { createRole, listRoles, type CreateRoleBody } from "../records/roles/contract";
import type { RoleSlug } from "../records/roles/vocabulary";
import { listAll, type Api } from "./api";
import type { Organization } from "./organization";
import type { Email } from "./people";

const PROMPT_AUTHOR = {
  name: "Prompt author",
  description: "Writes presets and sees what they cost",
  permissions: ["presets:read", "presets:write", "analytics:read"],
} as const satisfies CreateRoleBody;

interface DemoGroup {
  name: string;
  /** Value of the groups claim. */
  claim: string;
  role: RoleSlug | typeof PROMPT_AUTHOR.name | null;
  /** Role in the workspace Research. */
  researchRole?: RoleSlug;
  members: readonly Email[];
}

export const GROUPS: readonly DemoGroup[] = [
  { name: "Security", claim: "security", role: "org:auditor", members: ["tomas.varga@example.com"] },
  { name: "Finance", claim: "finance", role: "org:billing", members: ["elena.rossi@example.com"] },
  {
    name: "Prompt authors",
    claim: "prompt-authors",
    role: "Prompt author",
    members: ["priya.raman@example.com", "sofia.almeida@example.com", "liam.byrne@example.com"],
  },
  {
    name: "Research leads",
    claim: "research-leads",
    role: null,
    researchRole: "org:policy_editor",
    members: ["haruto.sato@example.com", "nadia.haddad@example.com"],
  },
];

/** Creates missing groups with their roles. Returns the number of new ones. */
export async function fillGroups(api: Api, { workspaceIds, userIds }: Organization): Promise<number> {
  const promptAuthor = await fillRole(api);
  const existing = await listAll((query) => api.call(listGroups, { query }));
  const missing = GROUPS.filter(({ name }) => !existing.some((group) => group.name === name));
  for (const { name, claim, role, researchRole, members } of missing) {
    const { data } = await api.call(createGroup, {
      body: {
        name,
        claim_value: claim,
        role: role === PROMPT_AUTHOR.name ? promptAuthor : role,
        workspace_roles: researchRole ? [{ workspace_id: workspaceIds.research, role: researchRole }] : [],
      },
    });
    const user_ids = members.flatMap((email) => userIds.get(email) ?? []);
    await api.call(addGroupMembers, { params: { id: data.id }, body: { user_ids } });
  }
  return missing.length;
}

async function fillRole(api: Api): Promise<string> {
  const { data: roles } = await api.call(listRoles, {});
  const found = roles.find(({ name }) => name === PROMPT_AUTHOR.name);
  return (
    found ??
    (await api.call(createRole, { body: { ...PROMPT_AUTHOR, permissions: [...PROMPT_AUTHOR.permissions] } })).data
  ).id;
}

/** Creates missing limits. Returns the number of new ones. */
export async function fillLimits(api: Api, { workspaceIds, keys }: Organization): Promise<number> {
  const monthly = { metric: "spend", reset_interval: "monthly", time_zone: "Europe/Berlin" } as const;
  const pool = ["Mobile: assistant (iOS)", "Mobile: assistant (Android)"].flatMap((name) => keys.get(name)?.hash ?? []);
  const limits: CreateLimitBody[] = [
    { ...monthly, name: "Whole company", subject_type: "organization", amount: 120 },
    { ...monthly, name: "Production", subject_type: "workspace", subject_ids: [workspaceIds.default], amount: 80 },
    {
      ...monthly,
      name: "Research",
      subject_type: "workspace",
      subject_ids: [workspaceIds.research],
      amount: 40,
      carry_over: true,
    },
    { ...monthly, name: "Support team", subject_type: "tag", subject_ids: ["team:support"], amount: 5 },
    { ...monthly, name: "Mobile apps", subject_type: "keys", subject_ids: pool, amount: 2 },
    {
      ...monthly,
      name: "Each end user",
      subject_type: "end_user",
      metric: "requests",
      reset_interval: "daily",
      amount: 200,
    },
    { ...monthly, name: "Each member", subject_type: "member", amount: 60 },
    { name: "Each key", subject_type: "key", metric: "requests", reset_interval: "minutely", amount: 600 },
    { name: "Mistral", subject_type: "provider", subject_ids: ["mistral"], metric: "concurrent_requests", amount: 50 },
  ];
  const existing = await listAll((query) => api.call(listLimits, { query }));
  const missing = limits.filter(({ name }) => !existing.some((limit) => limit.name === name));
  for (const body of missing) await api.call(createLimit, { body });
  return missing.length;
}
