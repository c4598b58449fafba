import {
  BellPlus,
  Bookmark,
  Boxes,
  CircleUser,
  Database,
  Download,
  FileCode,
  Fingerprint,
  FolderSync,
  Gauge,
  KeyRound,
  ListChecks,
  LockKeyhole,
  MonitorSmartphone,
  Plug,
  Send,
  ShieldAlert,
  ShieldPlus,
  UserCog,
  UserPlus,
  Users,
  Wallet,
  Webhook,
  Workflow,
  type LucideIcon,
} from "lucide-react";
import type { Demand } from "@/components/session/user-context";
import { getCoverage } from "@/lib/browser/operations/coverage";
import { createLimit } from "@/lib/browser/operations/limits";
import { exportPolicy } from "@/lib/browser/operations/policy-file";
import { createWorkspace } from "@/lib/browser/operations/workspaces";
import { DESTINATIONS, inWorkspace } from "./navigation";

/** A page or an action of the palette. */
export interface Command {
  label: string;
  href: string;
  icon: LucideIcon;
  /** Other words for it, in lower case. */
  words?: string;
  /** Permissions, one of which shows the command; "own keys" means that the member may create keys. Everybody sees it if this is missing. */
  for?: readonly (Demand | "own keys")[];
  /** Found in the selected workspace. */
  hasWorkspace?: boolean;
}

/** Everyday words for the pages of the sidebar. */
const WORDS: Readonly<Record<string, string>> = {
  "/": "home dashboard start budgets summary",
  "/generations": "logs requests prompts responses answers calls history traces sessions",
  "/analytics": "costs spend spending usage billing money charts reports statistics tokens latency",
  "/alerts": "notifications slack email monitoring thresholds firing",
  "/guardrails": "policy policies rules filters restrictions limits budgets pii",
  "/budgets": "limits spending money rates requests per minute tokens per minute quotas end users pools",
  "/presets": "prompts templates system prompt configurations versions",
  "/playground": "chat test try",
  "/keys": "tokens credentials access secrets",
  "/members": "users people team accounts roles admins",
  "/providers": "upstreams vendors connections credentials endpoints openai anthropic",
  "/settings": "organization configuration options",
  "/audit": "changes history activity events who",
  "/docs": "documentation docs openapi endpoints help",
};

const settings = (label: string, tab: string, icon: LucideIcon, words: string, ...permissions: Demand[]): Command => ({
  label,
  href: `/settings?tab=${tab}`,
  icon,
  words,
  for: permissions,
});

/** Pages that are only found by searching. */
const MORE_PAGES: readonly Command[] = [
  { label: "Account", href: "/account", icon: CircleUser, words: "profile name me user" },
  {
    label: "Coverage",
    href: "/coverage",
    icon: ShieldAlert,
    words: "gaps unprotected uncovered unassigned duplicates",
    for: [getCoverage],
    hasWorkspace: true,
  },
  {
    label: "Models",
    href: "/providers?tab=models",
    icon: Boxes,
    words: "prices pricing costs catalogue endpoints context",
    for: ["providers:read"],
  },
  {
    label: "Alert history",
    href: "/alerts?tab=history",
    icon: BellPlus,
    words: "firings incidents notifications",
    for: ["alerts:read"],
  },
  {
    label: "Groups",
    href: "/members/groups",
    icon: Users,
    words: "teams departments claims",
    for: ["members:read"],
  },
  {
    label: "Roles",
    href: "/members/roles",
    icon: UserCog,
    words: "rbac custom built-in access rights",
    for: ["members:read"],
  },
  {
    label: "Permissions",
    href: "/members/permissions",
    icon: ListChecks,
    words: "who may access rights rbac",
    for: ["members:read"],
  },
  settings("Workspaces", "workspaces", Workflow, "teams projects default guardrail", "workspaces:read"),
  settings("Logging & retention", "logging", Database, "log content privacy storage delete days", "workspaces:read"),
  settings("Limits", "limits", Gauge, "rate limit quota database", "organization:read"),
  settings("Webhooks", "webhooks", Webhook, "events deliveries integrations notifications", "organization:read"),
  settings(
    "Exports",
    "exports",
    Send,
    "opentelemetry otel s3 bucket collector destinations integrations",
    "organization:read",
  ),
  settings("Policy as code", "code", FileCode, "yaml file export git terraform", exportPolicy),
  settings(
    "Directory",
    "directory",
    FolderSync,
    "scim provisioning entra okta identity provider tokens groups",
    "organization:read",
  ),
  settings(
    "Sign-in",
    "sign-in",
    Fingerprint,
    "sso saml oidc openid identity provider okta entra google login",
    "sign_in:write",
  ),
  settings("Sessions", "sessions", MonitorSmartphone, "signed in browsers devices", "members:read"),
];

export const PAGES: readonly Command[] = [
  ...DESTINATIONS.map(({ href, label, icon, permissions }): Command => {
    const words = WORDS[href];
    return {
      label,
      href,
      icon,
      hasWorkspace: true,
      ...(words !== undefined && { words }),
      ...(permissions && { for: permissions }),
    };
  }),
  ...MORE_PAGES,
];

/** Labels of the pages in the sidebar and of the account page, which the palette lists before a search. */
export const FIRST_PAGES: ReadonlySet<string> = new Set([...DESTINATIONS.map(({ label }) => label), "Account"]);

export const ACTIONS: readonly Command[] = [
  {
    label: "New guardrail",
    href: "/guardrails/new",
    icon: ShieldPlus,
    words: "create add policy",
    hasWorkspace: true,
    for: ["guardrails:write"],
  },
  { label: "New key", href: "/keys?new=true", icon: KeyRound, words: "create add api token", for: ["own keys"] },
  {
    label: "New preset",
    href: "/presets/new",
    icon: Bookmark,
    words: "create add prompt template",
    hasWorkspace: true,
    for: ["presets:write"],
  },
  {
    label: "Invite member",
    href: "/members?new=true",
    icon: UserPlus,
    words: "create add new user person team",
    for: ["members:write"],
  },
  {
    label: "New group",
    href: "/members/groups?new=true",
    icon: Users,
    words: "create add team",
    for: ["roles:write"],
  },
  {
    label: "New role",
    href: "/members/roles?new=true",
    icon: UserCog,
    words: "create add custom permissions",
    for: ["roles:write"],
  },
  {
    label: "New limit",
    href: "/budgets?limit=new",
    icon: Wallet,
    words: "create add budget spend rate",
    for: [createLimit],
  },
  {
    label: "New identity provider",
    href: "/settings?tab=sign-in&new=true",
    icon: Fingerprint,
    words: "create add sso saml oidc okta entra sign-in connection",
    for: ["sign_in:write"],
  },
  {
    label: "Add provider",
    href: "/providers/new",
    icon: Plug,
    words: "create new connect upstream vendor credentials",
    for: ["providers:write"],
  },
  {
    label: "Add model",
    href: "/providers?tab=models&new=true",
    icon: Boxes,
    words: "create new price endpoint",
    for: ["providers:write"],
  },
  {
    label: "New alert",
    href: "/alerts?alert=new",
    icon: BellPlus,
    words: "create add notification slack email",
    for: ["alerts:write"],
  },
  {
    label: "New webhook",
    href: "/settings?tab=webhooks&new=true",
    icon: Webhook,
    words: "create add event integration",
    for: ["organization:write"],
  },
  {
    label: "New export destination",
    href: "/settings?tab=exports&new=true",
    icon: Send,
    words: "create add opentelemetry s3 bucket collector",
    for: ["organization:write"],
  },
  {
    label: "New workspace",
    href: "/settings?tab=workspaces&new=true",
    icon: Workflow,
    words: "create add team project",
    for: [createWorkspace],
  },
  {
    label: "Export generations",
    href: "/generations",
    icon: Download,
    words: "download log requests csv json",
    hasWorkspace: true,
  },
  {
    label: "Export audit log",
    href: "/audit",
    icon: Download,
    words: "download changes csv json",
    for: ["audit:read"],
  },
  {
    label: "Export policy as code",
    href: "/settings?tab=code",
    icon: FileCode,
    words: "download yaml guardrails file",
    for: [exportPolicy],
  },
  { label: "Change password", href: "/account#password", icon: LockKeyhole, words: "new security sign-in" },
  {
    label: "Set up two-step verification or a passkey",
    href: "/account#security",
    icon: LockKeyhole,
    words: "2fa mfa totp second factor security sign-in authenticator",
  },
];

/** Where a command leads, in the selected workspace if it has one. */
export const hrefOf = ({ href, hasWorkspace }: Command, workspace: string | null): string =>
  hasWorkspace ? inWorkspace(href, workspace) : href;

interface Searchable {
  label: string;
  words?: string | undefined;
}

/**
 * Entries that contain every word: first those whose label begins with the first word, then those with the words in
 * their label, then those with other words for it.
 */
export function matching<Entry extends Searchable>(entries: readonly Entry[], words: readonly string[]): Entry[] {
  const [first = ""] = words;
  const rank = ({ label }: Entry) => {
    const text = label.toLowerCase();
    if (text.startsWith(first)) return 0;
    return words.every((word) => text.includes(word)) ? 1 : 2;
  };
  /** Words of other names match from their beginning. */
  const has = ({ label, words: others = "" }: Entry, word: string) =>
    label.toLowerCase().includes(word) || others.split(" ").some((other) => other.startsWith(word));
  return entries
    .filter((entry) => words.every((word) => has(entry, word)))
    .toSorted((one, other) => rank(one) - rank(other));
}
