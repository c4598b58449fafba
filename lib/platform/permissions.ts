/**
 * What operations may require, each with what it allows. `read` shows a noun, `write` also changes it; a role has each one separately.
 */
export const PERMISSIONS = {
  "guardrails:read": "See guardrails, their assignments, tests, exceptions and effects",
  "guardrails:write": "Change guardrails, their assignments, tests and exceptions",
  "presets:read": "See presets and their versions",
  "presets:write": "Change presets, their versions and labels",
  "keys:read": "See every key with its usage",
  "keys:write": "Create, change and delete every key",
  "own_keys:write": "Create, change and delete own keys, within the organization's caps",
  "budgets:read": "See budgets, limits and what is left",
  "budgets:write": "Change budgets and limits",
  "generations:read": "See everybody's requests in the log, without prompts and responses",
  "contents:read": "Read stored prompts and responses",
  "contents:delete": "Delete stored prompts and responses",
  "analytics:read": "See everybody's usage and spend",
  "alerts:read": "See alerts and when they fired",
  "alerts:write": "Change alerts",
  "providers:read": "See providers and their health",
  "providers:write": "Change providers with their credentials, models and prices",
  "workspaces:read": "See workspaces",
  "workspaces:write": "Create, change and delete workspaces",
  "members:read": "See members, groups, roles and sessions",
  "members:write": "Invite, change and remove members, and end their sessions",
  "roles:write": "Change roles and groups, and who has them",
  "organization:read": "See settings of the organization, webhooks and exports of the log",
  "organization:write": "Change settings of the organization, webhooks and exports of the log",
  "sign_in:write": "Change how members sign in and are provisioned",
  "audit:read": "Read the audit log",
} as const;

export type Permission = keyof typeof PERMISSIONS;

export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as [Permission, ...Permission[]];

/** Permissions that a role in a single workspace gives. The others concern the whole organization. */
export const WORKSPACE_PERMISSIONS: readonly Permission[] = [
  "guardrails:read",
  "guardrails:write",
  "presets:read",
  "presets:write",
  "keys:read",
  "keys:write",
  "budgets:read",
  "budgets:write",
  "generations:read",
  "contents:read",
  "contents:delete",
  "analytics:read",
  "workspaces:read",
  "workspaces:write",
];
