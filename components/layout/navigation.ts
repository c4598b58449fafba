import {
  Activity,
  BookOpen,
  Bookmark,
  Boxes,
  House,
  KeyRound,
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
}

export const DESTINATIONS: readonly Destination[] = [
  { href: "/", label: "Overview", icon: House },
  { href: "/generations", label: "Generations", icon: Activity },
  { href: "/guardrails", label: "Guardrails", icon: ShieldCheck, isAdminOnly: true },
  { href: "/presets", label: "Presets", icon: Bookmark },
  { href: "/keys", label: "API keys", icon: KeyRound },
  { href: "/members", label: "Members", icon: Users, isAdminOnly: true },
  { href: "/providers", label: "Providers & models", icon: Boxes, isAdminOnly: true },
  { href: "/audit", label: "Audit log", icon: ScrollText, isAdminOnly: true },
  { href: "/settings", label: "Settings", icon: Settings, isAdminOnly: true },
  { href: "/docs", label: "API reference", icon: BookOpen },
];

export const destinationsFor = (isAdmin: boolean): readonly Destination[] =>
  DESTINATIONS.filter((destination) => isAdmin || !destination.isAdminOnly);

export const isCurrent = ({ href }: Destination, pathname: string): boolean =>
  href === "/" ? pathname === "/" : pathname === href || pathname.startsWith(`${href}/`);

/** Adds the selected workspace to a URL. */
export const inWorkspace = (href: string, workspace: string | null): string =>
  workspace === null ? href : `${href}?workspace=${encodeURIComponent(workspace)}`;
