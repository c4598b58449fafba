import type { Api } from "../api-client";
import type { World } from "../world";
import type { ConsolePage } from "./page-checks";
import {
  createExports,
  createFullGuardrail,
  createGuardrails,
  createKeys,
  createPreset,
  createTeam,
  createSearchLimit,
  createTestedAlert,
  generate,
  generateTrace,
} from "./scene-data";

/** A page and its test data. */
export interface Scene extends ConsolePage {
  /** Creates data for its list. */
  fill?: (api: Api, world: World) => Promise<unknown>;
  /** Creates the record it shows and returns the last path segment. */
  make?: (api: Api, world: World) => Promise<string>;
  /** Some of the menus, dialogs and sheets it has. */
  opens?: readonly string[];
}

export const NO_ID = "01980000-0000-7000-8000-000000000000";
const NO_HASH = "0".repeat(64);

const unknown = (name: string, path: string, h1: string): Scene => ({
  name: `${name}-unknown`,
  path,
  h1,
  shows: "Not found",
  isRefusalExpected: true,
});

/** The pages of a signed-in admin. */
export const SCENES: readonly Scene[] = [
  {
    name: "overview",
    path: "/",
    h1: "Overview",
    shows: "Budgets closest to their limit",
    fill: (api, world) => generate(api, world, "sandbox/echo"),
  },
  {
    name: "analytics",
    path: "/analytics",
    h1: "Analytics",
    shows: "sandbox/echo",
    fill: (api, world) => generate(api, world, "sandbox/echo"),
  },
  { name: "guardrails", path: "/guardrails", h1: "Guardrails", shows: /^Production-/, fill: createGuardrails },
  { name: "guardrail-new", path: "/guardrails/new", h1: "New guardrail", shows: "Personal data" },
  {
    name: "guardrail",
    path: "/guardrails/",
    h1: /^Production-/,
    shows: "Personal data",
    make: createFullGuardrail,
  },
  {
    name: "guardrail-history",
    path: "/guardrails/",
    h1: /^History/,
    shows: "Revision 2",
    make: async (api) => `${await createFullGuardrail(api)}/history`,
  },
  unknown("guardrail", `/guardrails/${NO_ID}`, "Guardrail"),
  { name: "keys", path: "/keys", h1: "API keys", shows: /^Support bot-/, opens: ["New key"], fill: createKeys },
  {
    name: "key",
    path: "/keys/",
    h1: /^Key-/,
    shows: "Effective policy",
    make: async (_, world) => (await world.inferenceKey({ limit: 5 })).hash,
    opens: ["Rotate…", "Add identity…"],
  },
  unknown("key", `/keys/${NO_HASH}`, "API key"),
  {
    name: "members",
    path: "/members",
    h1: "Members",
    shows: /^person-/,
    opens: ["Invite member"],
    fill: (_, world) => world.member(),
  },
  {
    name: "member",
    path: "/members/",
    h1: /^person-/,
    shows: "Effective policy",
    make: async (_, world) => (await world.member()).id,
  },
  {
    name: "roles",
    path: "/members/roles",
    h1: "Roles",
    shows: "Policy editor",
    opens: ["New role"],
  },
  { name: "role", path: "/members/roles?role=org%3Aauditor", h1: "Roles", shows: /^Reads everything/ },
  {
    name: "groups",
    path: "/members/groups",
    h1: "Groups",
    shows: /^Team-/,
    opens: ["New group"],
    fill: createTeam,
  },
  {
    name: "group",
    path: "/members/groups?group=",
    h1: "Groups",
    shows: "Workspace roles",
    make: createTeam,
  },
  { name: "permissions", path: "/members/permissions", h1: "Permissions", shows: "guardrails:write" },
  unknown("member", "/members/user_000000000000000000000000", "Member"),
  {
    name: "budgets",
    path: "/budgets",
    h1: "Budgets",
    shows: /^Search team-/,
    fill: createSearchLimit,
    opens: ["New limit"],
  },
  {
    name: "limit-sheet",
    path: "/budgets?limit=",
    h1: "Budgets",
    shows: "Used in this period",
    make: async (api) => (await createSearchLimit(api)).id,
  },
  { name: "presets", path: "/presets", h1: "Presets", shows: /^support-bot-/, fill: createPreset },
  { name: "preset-new", path: "/presets/new", h1: "New preset", shows: "Slug" },
  { name: "preset", path: "/presets/", h1: /^support-bot-/, shows: "Configuration", make: createPreset },
  {
    name: "preset-versions",
    path: "/presets/",
    h1: /^support-bot-/,
    shows: "Version 2",
    make: async (api) => `${await createPreset(api)}?tab=versions`,
  },
  {
    name: "playground",
    path: "/playground",
    h1: "Playground",
    shows: "Send a first message",
    fill: (_, world) => world.inferenceKey(),
  },
  unknown("preset", "/presets/no-such-preset", "no-such-preset"),
  {
    name: "generations",
    path: "/generations",
    h1: "Generations",
    shows: "sandbox/reasoner",
    fill: async (api, world) => {
      await generate(api, world, "sandbox/unavailable");
      await generate(api, world, "sandbox/reasoner");
    },
  },
  {
    name: "generation-sheet",
    path: "/generations?id=",
    h1: "Generations",
    shows: "Generations",
    make: (api, world) => generate(api, world, "sandbox/reasoner"),
  },
  {
    name: "generation",
    path: "/generations/",
    h1: "sandbox/reasoner",
    shows: "Completion",
    make: (api, world) => generate(api, world, "sandbox/reasoner"),
  },
  {
    name: "generation-failed",
    path: "/generations/",
    h1: "sandbox/unavailable",
    shows: "Decision record",
    make: (api, world) => generate(api, world, "sandbox/unavailable"),
  },
  { name: "trace", path: "/traces/", h1: "Trace", shows: "And when?", make: generateTrace },
  unknown("generation", "/generations/gen-1700000000-00000000000000000000", "Generation"),
  { name: "providers", path: "/providers?q=sandbox", h1: "Providers & models", shows: "Sandbox" },
  {
    name: "models",
    path: "/providers?tab=models&q=sandbox/echo",
    h1: "Providers & models",
    opens: ["First row"],
    shows: "sandbox/echo",
  },
  { name: "provider-new", path: "/providers/new", h1: "Add provider", shows: "Base URL" },
  { name: "provider", path: "/providers/sandbox", h1: "Sandbox", shows: "Connection" },
  unknown("provider", "/providers/no-such-provider", "no-such-provider"),
  { name: "coverage", path: "/coverage", h1: "Coverage", shows: "Keys without a guardrail" },
  { name: "alerts", path: "/alerts", h1: "Alerts", shows: /^Errors-/, fill: createTestedAlert },
  { name: "alerts-history", path: "/alerts?tab=history", h1: "Alerts", shows: /^Errors-/, fill: createTestedAlert },
  { name: "audit", path: "/audit", h1: "Audit log", shows: /guardrail/i, opens: ["First row"], fill: createGuardrails },
  { name: "settings", path: "/settings", h1: "Settings", shows: "Organization" },
  {
    name: "settings-workspaces",
    path: "/settings?tab=workspaces",
    h1: "Settings",
    shows: "Default",
    fill: (_, world) => world.guardrail(),
  },
  { name: "settings-limits", path: "/settings?tab=limits", h1: "Settings", shows: "SIGNALBOX_RATE_LIMIT_PER_MINUTE" },
  {
    name: "settings-exports",
    path: "/settings?tab=exports",
    h1: "Settings",
    shows: /^Collector-/,
    fill: createExports,
  },
  { name: "settings-directory", path: "/settings?tab=directory", h1: "Settings", shows: "Base URL" },
  {
    name: "settings-sign-in",
    path: "/settings?tab=sign-in",
    h1: "Settings",
    shows: "Sign-in by password",
    opens: ["New identity provider"],
  },
  { name: "settings-sessions", path: "/settings?tab=sessions", h1: "Settings", shows: "Signed in" },
  { name: "account", path: "/account", h1: "Your account", shows: "Password" },
  { name: "reference", path: "/docs", h1: "API reference", shows: "Create a guardrail" },
  { name: "reference-operation", path: "/docs/createGuardrail", h1: "Create a guardrail", shows: "Send request" },
  {
    name: "not-found",
    path: "/no/such/page",
    h1: "Page not found",
    shows: "Page not found",
    isRefusalExpected: true,
  },
];

/** Creates the page's data, and returns the page with the path to open. */
export async function prepare({ fill, make, path, ...scene }: Scene, api: Api, world: World): Promise<ConsolePage> {
  await fill?.(api, world);
  const made = make ? await make(api, world) : "";
  return { ...scene, path: path + made };
}
