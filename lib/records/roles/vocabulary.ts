import { PERMISSION_NAMES, type Permission } from "../../platform/permissions";

interface BuiltInRole {
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly Permission[];
}

const READS = PERMISSION_NAMES.filter((permission) => permission.endsWith(":read"));

/** The roles of every organization. Custom roles have ids instead of slugs. */
export const BUILT_IN_ROLES = {
  "org:owner": {
    name: "Owner",
    description: "Everything, including how members sign in and who is an owner",
    permissions: PERMISSION_NAMES,
  },
  "org:admin": {
    name: "Admin",
    description: "Everything except owners and how members sign in",
    permissions: PERMISSION_NAMES.filter((permission) => permission !== "sign_in:write"),
  },
  "org:policy_editor": {
    name: "Policy editor",
    description: "Guardrails, presets, budgets and alerts, and what is needed to decide about them",
    permissions: [
      "guardrails:read",
      "guardrails:write",
      "presets:read",
      "presets:write",
      "budgets:read",
      "budgets:write",
      "alerts:read",
      "alerts:write",
      "keys:read",
      "generations:read",
      "analytics:read",
      "providers:read",
      "workspaces:read",
      "members:read",
    ],
  },
  "org:member": {
    name: "Developer",
    description: "Presets, own requests, and own keys within the organization's caps",
    permissions: ["presets:read", "own_keys:write"],
  },
  "org:analyst": {
    name: "Analyst",
    description: "The log and usage, without prompts and responses",
    permissions: ["generations:read", "analytics:read", "budgets:read", "presets:read", "alerts:read"],
  },
  "org:auditor": {
    name: "Auditor",
    description: "Reads everything except sign-in settings, also stored prompts and responses, which is audited",
    permissions: READS,
  },
  "org:billing": {
    name: "Billing",
    description: "Usage, budgets and limits",
    permissions: ["analytics:read", "budgets:read", "budgets:write", "keys:read"],
  },
} as const satisfies Readonly<Record<`org:${string}`, BuiltInRole>>;

export type RoleSlug = keyof typeof BUILT_IN_ROLES;
export const ROLES = Object.keys(BUILT_IN_ROLES) as [RoleSlug, ...RoleSlug[]];

export const isBuiltIn = (role: string): role is RoleSlug => Object.hasOwn(BUILT_IN_ROLES, role);

/** Maximum number of custom roles of an organization. */
export const MOST_ROLES = 100;
/** Maximum number of workspaces in which a member, group or key has a role. */
export const MOST_WORKSPACE_ROLES = 100;
