import { Command } from "cmdk";
import { Activity, Bookmark, CircleUser, KeyRound, Plus, ShieldCheck, User, type LucideIcon } from "lucide-react";
import { Dialog } from "radix-ui";
import { useState } from "react";
import { count } from "@/components/guardrails/guardrail-summary";
import { useUser } from "@/components/session/user-context";
import { overlayStyle } from "@/components/ui/popup-style";
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

/** The command palette, loaded on first open. */
export function CommandDialog({ onClose }: { onClose: () => void }) {
  const [search, setSearch] = useState("");
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

  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className={overlayStyle} />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed top-[12dvh] left-1/2 z-50 w-[calc(100%-2rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-xl border bg-surface-raised shadow-xl duration-150 data-[state=open]:animate-in data-[state=open]:fade-in-0"
        >
          <Dialog.Title className="sr-only">Search the console</Dialog.Title>
          <Command label="Search the console" shouldFilter={false} loop>
            <Command.Input
              value={search}
              onValueChange={setSearch}
              placeholder={
                isAdmin ? "Search pages, guardrails, keys, presets, members…" : "Search pages, keys, presets…"
              }
              className="h-12 w-full border-b bg-transparent px-4 outline-none placeholder:text-muted"
            />
            <Command.List className="max-h-[min(26rem,60dvh)] overflow-y-auto p-1.5">
              {sections.map(({ heading, entries }) => (
                <Command.Group
                  key={heading}
                  heading={heading}
                  className="text-xs text-muted [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5"
                >
                  {entries.map(({ id, label, hint, icon: Icon, act }) => (
                    <Command.Item
                      key={id}
                      value={`${heading} ${id}`}
                      onSelect={() => {
                        onClose();
                        act();
                      }}
                      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2 text-sm text-foreground data-[selected=true]:bg-subtle"
                    >
                      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
                      <span className="truncate">{label}</span>
                      {hint && (
                        <span className="ml-auto max-w-[45%] truncate font-mono text-xs text-muted">{hint}</span>
                      )}
                    </Command.Item>
                  ))}
                </Command.Group>
              ))}
              {sections.length === 0 && (
                <p className="py-8 text-center text-sm text-muted">
                  {isSearching ? "Searching…" : `No results for “${text}”`}
                </p>
              )}
            </Command.List>
          </Command>
          <p role="status" className="sr-only">
            {isSearching ? "Searching" : count(sections.flatMap(({ entries }) => entries).length, "result")}
          </p>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
