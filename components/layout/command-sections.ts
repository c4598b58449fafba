import { Activity, Bookmark, KeyRound, LogOut, ShieldCheck, User, type LucideIcon } from "lucide-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCanManageOwnKeys } from "@/components/keys/use-own-key-caps";
import { useLeave } from "@/components/session/use-leave";
import { meets, useMay, useUser } from "@/components/session/user-context";
import { usePageRouter } from "@/lib/browser/page-router";
import { THEMES } from "@/lib/browser/preferences";
import { requestQuery } from "@/components/generations/generation-queries";
import { idIn } from "@/components/generations/ids-in-text";
import { memberName } from "@/components/members/member-name";
import { presetPath } from "@/components/presets/preset-path";
import { useDebounced } from "@/components/ui/use-debounced";
import { apiQuery } from "@/lib/browser/api-query";
import { listGuardrails } from "@/lib/browser/operations/guardrails";
import { listKeys } from "@/lib/browser/operations/keys";
import { listMembers } from "@/lib/browser/operations/members";
import { listPresets } from "@/lib/browser/operations/presets";
import { useChosenWorkspace } from "./chosen-workspace";
import { ACTIONS, FIRST_PAGES, hrefOf, matching, PAGES, type Command } from "./commands";
import { useTheme } from "./theme";
import { THEME_LOOK } from "./theme-menu";

interface Entry {
  id: string;
  label: string;
  hint?: string | undefined;
  /** Other words for it. */
  words?: string | undefined;
  icon: LucideIcon;
  act: () => void;
}

const RECORD_ICONS: Record<RecordKind, LucideIcon> = {
  Guardrails: ShieldCheck,
  "API keys": KeyRound,
  Presets: Bookmark,
  Members: User,
};

/** Pages, records and actions that match the search, by section. */
export function useCommandSections(search: string): {
  sections: { heading: string; entries: Entry[] }[];
  isSearching: boolean;
} {
  const text = search.trim();
  const words = text.toLowerCase().split(/\s+/);
  const user = useUser();
  const workspace = useChosenWorkspace();
  const { theme, setTheme } = useTheme();
  const router = usePageRouter();
  const { groups, isSearching } = useFoundRecords(text);
  const canCreateKeys = useCanManageOwnKeys();
  const leave = useLeave();
  const to = (href: string) => () => router.push(href);
  const mayFind = ({ for: demands }: Command) =>
    demands === undefined || demands.some((demand) => (demand === "own keys" ? canCreateKeys : meets(user, demand)));
  const entriesOf = (commands: readonly Command[]): Entry[] =>
    commands.filter(mayFind).map((command) => {
      const { label, icon, words: others } = command;
      return { id: label, label, icon, words: others, act: to(hrefOf(command, workspace)) };
    });

  const pages = entriesOf(text === "" ? PAGES.filter(({ label }) => FIRST_PAGES.has(label)) : PAGES);
  const actions: Entry[] = [
    ...entriesOf(ACTIONS),
    ...THEMES.filter((name) => name !== theme).map((name) => ({
      id: `theme ${name}`,
      label: `Theme: ${THEME_LOOK[name].label}`,
      words: "switch appearance mode color",
      icon: THEME_LOOK[name].icon,
      act: () => setTheme(name),
    })),
    { id: "sign out", label: "Sign out", words: "log out logout leave exit", icon: LogOut, act: leave },
  ];
  const generation = useFoundGeneration(text).map(({ label, href }): Entry => ({
    id: href,
    label,
    icon: Activity,
    act: to(href),
  }));
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

/** Links to the generations whose id, or that of their request, is in the text. */
function useFoundGeneration(text: string): { label: string; href: string }[] {
  const found = idIn(text);
  const request = found && "request" in found ? found.request : null;
  const { data } = useQuery({ ...requestQuery(request ?? ""), enabled: request !== null, retry: false });
  const link = (id: string) => ({ label: `Open generation ${id}`, href: `/generations/${id}` });
  if (found === null) return [];
  if ("generation" in found) return [link(found.generation)];
  if (data?.data.length === 0)
    return [{ label: `No request ${request} in the log`, href: `/generations?request_id=${request}&range=30d` }];
  return data?.data.map(({ id }) => link(id)) ?? [];
}

type RecordKind = "Guardrails" | "API keys" | "Presets" | "Members";

interface FoundRecord {
  label: string;
  hint?: string | undefined;
  href: string;
}

const DELAY_MS = 200;
const MAX_OF_A_KIND = 5;

/** Search results across the API's lists. A list whose request fails is omitted. */
function useFoundRecords(text: string): {
  groups: { kind: RecordKind; records: FoundRecord[] }[];
  isSearching: boolean;
} {
  const debounced = useDebounced(text, DELAY_MS);
  const canSeeGuardrails = useMay("guardrails:read");
  const canSeePresets = useMay("presets:read");
  const canSeeMembers = useMay("members:read");
  const workspace = useChosenWorkspace();
  const query = { q: debounced, limit: MAX_OF_A_KIND };
  const inChosen = { ...query, ...(workspace && { workspace_id: workspace }) };
  const hasText = debounced !== "";
  const options = { enabled: hasText, placeholderData: keepPreviousData, retry: false } as const;
  const guardrails = useQuery({
    ...apiQuery(listGuardrails, { query: { ...query, workspace_id: workspace ?? "all" } }),
    ...options,
    enabled: hasText && canSeeGuardrails,
  });
  const keys = useQuery({ ...apiQuery(listKeys, { query: { ...query, include_disabled: "true" } }), ...options });
  const presets = useQuery({
    ...apiQuery(listPresets, { query: inChosen }),
    ...options,
    enabled: hasText && canSeePresets,
  });
  const members = useQuery({ ...apiQuery(listMembers, { query }), ...options, enabled: hasText && canSeeMembers });
  const groups: { kind: RecordKind; records: FoundRecord[] }[] = [
    {
      kind: "Guardrails",
      records: guardrails.data?.data.map(({ id, name }) => ({ label: name, href: `/guardrails/${id}` })) ?? [],
    },
    {
      kind: "API keys",
      records:
        keys.data?.data.map(({ hash, name, label }) => ({ label: name, hint: label, href: `/keys/${hash}` })) ?? [],
    },
    {
      kind: "Presets",
      records:
        presets.data?.data.map(({ slug, name }) => ({
          label: name,
          hint: `@preset/${slug}`,
          href: presetPath(slug, workspace),
        })) ?? [],
    },
    {
      kind: "Members",
      records:
        members.data?.data.map((member) => ({
          label: memberName(member),
          hint: member.email,
          href: `/members/${member.id}`,
        })) ?? [],
    },
  ];
  return {
    groups: text === "" ? [] : groups,
    isSearching: text !== debounced || [guardrails, keys, presets, members].some(({ isFetching }) => isFetching),
  };
}
