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

export const DESTINATIONS: readonly Destination[] = [
  { href: "/", label: "Overview", shortcut: "o", icon: House },
  { href: "/analytics", label: "Analytics", shortcut: "y", icon: ChartColumn },
  { href: "/playground", label: "Playground", shortcut: "t", icon: MessagesSquare },
  { href: "/generations", label: "Generations", shortcut: "g", icon: Activity },
  { href: "/guardrails", label: "Guardrails", shortcut: "r", icon: ShieldCheck, isAdminOnly: true },
  { href: "/presets", label: "Presets", shortcut: "p", icon: Bookmark },
  { href: "/keys", label: "API keys", shortcut: "k", icon: KeyRound },
  { href: "/members", label: "Members", shortcut: "m", icon: Users, isAdminOnly: true },
  { href: "/providers", label: "Providers & models", shortcut: "v", icon: Boxes, isAdminOnly: true },
  { href: "/alerts", label: "Alerts", shortcut: "l", icon: Bell, isAdminOnly: true },
  { href: "/audit", label: "Audit log", shortcut: "a", icon: ScrollText, isAdminOnly: true },
  { href: "/settings", label: "Settings", shortcut: "s", icon: Settings, isAdminOnly: true },
  { href: "/docs", label: "API reference", shortcut: "d", icon: BookOpen },
];

export const destinationsFor = (isAdmin: boolean): readonly Destination[] =>
  DESTINATIONS.filter((destination) => isAdmin || !destination.isAdminOnly);

export const isCurrent = ({ href }: Destination, pathname: string): boolean =>
  href === "/" ? pathname === "/" : pathname === href || pathname.startsWith(`${href}/`);

/** Adds the selected workspace to a URL. */
export const inWorkspace = (href: string, workspace: string | null): string =>
  workspace === null ? href : `${href}?workspace=${encodeURIComponent(workspace)}`;
