import {
  Activity,
  Bell,
  BookOpen,
  Bookmark,
  Boxes,
  ChartColumn,
  House,
  KeyRound,
  MessagesSquare,
  ScrollText,
  Settings,
  ShieldCheck,
  Users,
  Wallet,
  type LucideIcon,
} from "lucide-react";
import type { Permission } from "@/lib/platform/permissions";

export interface Destination {
  href: string;
  label: string;
  icon: LucideIcon;
  /** Permissions of which a member needs one to see the page. If it isn't set, everybody sees it. */
  permissions?: readonly Permission[];
  /** Letter that goes to the page after `g`. */
  shortcut?: string;
}

export interface DestinationGroup {
  id: "observe" | "policy" | "access" | "setup" | "more";
  label: string;
  destinations: readonly Destination[];
}

/** Pages of the sidebar, by what they are for. */
const GROUPS: readonly DestinationGroup[] = [
  {
    id: "observe",
    label: "Observe",
    destinations: [
      { href: "/", label: "Overview", shortcut: "o", icon: House },
      { href: "/generations", label: "Generations", shortcut: "g", icon: Activity },
      { href: "/analytics", label: "Analytics", shortcut: "y", icon: ChartColumn },
      { href: "/alerts", label: "Alerts", shortcut: "l", icon: Bell, permissions: ["alerts:read"] },
    ],
  },
  {
    id: "policy",
    label: "Policy",
    destinations: [
      { href: "/guardrails", label: "Guardrails", shortcut: "r", icon: ShieldCheck, permissions: ["guardrails:read"] },
      { href: "/budgets", label: "Budgets", shortcut: "b", icon: Wallet, permissions: ["budgets:read"] },
      { href: "/presets", label: "Presets", shortcut: "p", icon: Bookmark, permissions: ["presets:read"] },
      { href: "/playground", label: "Playground", shortcut: "t", icon: MessagesSquare },
    ],
  },
  {
    id: "access",
    label: "Access",
    destinations: [
      { href: "/keys", label: "API keys", shortcut: "k", icon: KeyRound },
      { href: "/members", label: "Members", shortcut: "m", icon: Users, permissions: ["members:read"] },
    ],
  },
  {
    id: "setup",
    label: "Setup",
    destinations: [
      { href: "/providers", label: "Providers & models", shortcut: "v", icon: Boxes, permissions: ["providers:read"] },
      {
        href: "/settings",
        label: "Settings",
        shortcut: "s",
        icon: Settings,
        permissions: ["organization:read", "workspaces:read"],
      },
    ],
  },
  {
    id: "more",
    label: "More",
    destinations: [
      { href: "/audit", label: "Audit log", shortcut: "a", icon: ScrollText, permissions: ["audit:read"] },
      { href: "/docs", label: "API reference", shortcut: "d", icon: BookOpen },
    ],
  },
];

export const DESTINATIONS: readonly Destination[] = GROUPS.flatMap(({ destinations }) => destinations);

const allowed = (destinations: readonly Destination[], permissions: readonly Permission[]) =>
  destinations.filter(
    ({ permissions: required }) => required === undefined || required.some((one) => permissions.includes(one)),
  );

export const destinationsFor = (permissions: readonly Permission[]): readonly Destination[] =>
  allowed(DESTINATIONS, permissions);

export const groupsFor = (permissions: readonly Permission[]): readonly DestinationGroup[] =>
  GROUPS.map((group) => ({ ...group, destinations: allowed(group.destinations, permissions) })).filter(
    ({ destinations }) => destinations.length > 0,
  );

export const isCurrent = ({ href }: Destination, pathname: string): boolean =>
  href === "/" ? pathname === "/" : pathname === href || pathname.startsWith(`${href}/`);

/** Adds the selected workspace to a URL. */
export const inWorkspace = (href: string, workspace: string | null): string =>
  workspace === null ? href : `${href}?workspace=${encodeURIComponent(workspace)}`;
