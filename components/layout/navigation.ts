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

export interface Destination {
  href: string;
  label: string;
  icon: LucideIcon;
  isAdminOnly?: boolean;
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
      { href: "/alerts", label: "Alerts", shortcut: "l", icon: Bell, isAdminOnly: true },
    ],
  },
  {
    id: "policy",
    label: "Policy",
    destinations: [
      { href: "/guardrails", label: "Guardrails", shortcut: "r", icon: ShieldCheck, isAdminOnly: true },
      { href: "/budgets", label: "Budgets", shortcut: "b", icon: Wallet, isAdminOnly: true },
      { href: "/presets", label: "Presets", shortcut: "p", icon: Bookmark },
      { href: "/playground", label: "Playground", shortcut: "t", icon: MessagesSquare },
    ],
  },
  {
    id: "access",
    label: "Access",
    destinations: [
      { href: "/keys", label: "API keys", shortcut: "k", icon: KeyRound },
      { href: "/members", label: "Members", shortcut: "m", icon: Users, isAdminOnly: true },
    ],
  },
  {
    id: "setup",
    label: "Setup",
    destinations: [
      { href: "/providers", label: "Providers & models", shortcut: "v", icon: Boxes, isAdminOnly: true },
      { href: "/settings", label: "Settings", shortcut: "s", icon: Settings, isAdminOnly: true },
    ],
  },
  {
    id: "more",
    label: "More",
    destinations: [
      { href: "/audit", label: "Audit log", shortcut: "a", icon: ScrollText, isAdminOnly: true },
      { href: "/docs", label: "API reference", shortcut: "d", icon: BookOpen },
    ],
  },
];

export const DESTINATIONS: readonly Destination[] = GROUPS.flatMap(({ destinations }) => destinations);

const allowed = (destinations: readonly Destination[], isAdmin: boolean) =>
  destinations.filter((destination) => isAdmin || !destination.isAdminOnly);

export const destinationsFor = (isAdmin: boolean): readonly Destination[] => allowed(DESTINATIONS, isAdmin);

export const groupsFor = (isAdmin: boolean): readonly DestinationGroup[] =>
  GROUPS.map((group) => ({ ...group, destinations: allowed(group.destinations, isAdmin) })).filter(
    ({ destinations }) => destinations.length > 0,
  );

export const isCurrent = ({ href }: Destination, pathname: string): boolean =>
  href === "/" ? pathname === "/" : pathname === href || pathname.startsWith(`${href}/`);

/** Adds the selected workspace to a URL. */
export const inWorkspace = (href: string, workspace: string | null): string =>
  workspace === null ? href : `${href}?workspace=${encodeURIComponent(workspace)}`;
