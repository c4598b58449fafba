import { Activity, Bookmark, CircleUser, KeyRound, Plus, ShieldCheck, User, type LucideIcon } from "lucide-react";
import { useUser } from "@/components/session/user-context";
import { usePageRouter } from "@/lib/browser/page-router";
import { THEMES } from "@/lib/browser/preferences";
import { useChosenWorkspace } from "./chosen-workspace";
import { useFoundRecords, type RecordKind } from "./found-records";
import { destinationsFor, inWorkspace } from "./navigation";
import { useTheme } from "./theme";
import { THEME_LOOK } from "./theme-menu";

interface Entry {
  id: string;
  label: string;
  hint?: string | undefined;
  icon: LucideIcon;
  act: () => void;
}

const RECORD_ICONS: Record<RecordKind, LucideIcon> = {
  Guardrails: ShieldCheck,
  "API keys": KeyRound,
  Presets: Bookmark,
  Members: User,
};
const GENERATION_ID = /^gen-[\w-]{6,}$/;

/** Entries that contain every word, prefix matches first. */
function matching(entries: readonly Entry[], words: readonly string[]): Entry[] {
  const [first = ""] = words;
  const begins = ({ label }: Entry) => label.toLowerCase().startsWith(first);
  return entries
    .filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
    .toSorted((one, other) => Number(begins(other)) - Number(begins(one)));
}

/** Pages, records and actions that match the search, by section. */
export function useCommandSections(search: string): {
  sections: { heading: string; entries: Entry[] }[];
  isSearching: boolean;
} {
  const text = search.trim();
  const words = text.toLowerCase().split(/\s+/);
  const { isAdmin } = useUser();
  const workspace = useChosenWorkspace();
  const { theme, setTheme } = useTheme();
  const router = usePageRouter();
  const { groups, isSearching } = useFoundRecords(text);
  const to = (href: string) => () => router.push(href);

  const pages: Entry[] = [
    ...destinationsFor(isAdmin).map(({ href, label, icon }) => ({
      id: href,
      label,
      icon,
      act: to(inWorkspace(href, workspace)),
    })),
    { id: "/account", label: "Account", icon: CircleUser, act: to("/account") },
  ];
  const actions: Entry[] = [
    ...(isAdmin
      ? [
          {
            id: "new guardrail",
            label: "New guardrail",
            icon: Plus,
            act: to(inWorkspace("/guardrails/new", workspace)),
          },
          { id: "new key", label: "New key", icon: Plus, act: to("/keys?new=true") },
          { id: "new preset", label: "New preset", icon: Plus, act: to(inWorkspace("/presets/new", workspace)) },
        ]
      : []),
    ...THEMES.filter((name) => name !== theme).map((name) => ({
      id: `theme ${name}`,
      label: `Theme: ${THEME_LOOK[name].label}`,
      icon: THEME_LOOK[name].icon,
      act: () => setTheme(name),
    })),
  ];
  const generation: Entry[] = GENERATION_ID.test(text)
    ? [{ id: text, label: `Open generation ${text}`, icon: Activity, act: to(`/generations/${text}`) }]
    : [];
  const sections = [
    { heading: "Generation", entries: generation },
    { heading: "Pages", entries: matching(pages, words) },
    ...groups.map(({ kind, records }) => ({
      heading: kind,
      entries: records.map(({ href, ...record }) => ({ ...record, id: href, icon: RECORD_ICONS[kind], act: to(href) })),
    })),
    { heading: "Actions", entries: matching(actions, words) },
  ].filter(({ entries }) => entries.length > 0);
  return { sections, isSearching };
}
