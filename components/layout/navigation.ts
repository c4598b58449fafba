import { Activity, BookOpen, Bookmark, House, KeyRound, ShieldCheck, type LucideIcon } from "lucide-react";

export interface Destination {
  href: string;
  label: string;
  icon: LucideIcon;
  isAdminOnly?: boolean;
  /** Outside the console's own pages: loaded whole. */
  isDocument?: boolean;
}

export const DESTINATIONS: readonly Destination[] = [
  { href: "/", label: "Home", icon: House },
  { href: "/generations", label: "Generations", icon: Activity },
  { href: "/guardrails", label: "Guardrails", icon: ShieldCheck, isAdminOnly: true },
  { href: "/presets", label: "Presets", icon: Bookmark },
  { href: "/keys", label: "API keys", icon: KeyRound },
  { href: "/docs", label: "API reference", icon: BookOpen, isDocument: true },
];

export const isCurrent = ({ href }: Destination, pathname: string): boolean =>
  href === "/" ? pathname === "/" : pathname === href || pathname.startsWith(`${href}/`);
