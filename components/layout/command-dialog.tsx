import { Command } from "cmdk";
import { Dialog } from "radix-ui";
import { useState } from "react";
import { count } from "@/lib/platform/count";
import { useMay } from "@/components/session/user-context";
import { overlayStyle } from "@/components/ui/popup-style";
import { useCommandSections } from "./command-sections";

/** The command palette, loaded on first open. */
export function CommandDialog({ onClose }: { onClose: () => void }) {
  const [search, setSearch] = useState("");
  const canSeeGuardrails = useMay("guardrails:read");
  const { sections, isSearching } = useCommandSections(search);
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
                canSeeGuardrails
                  ? "Search pages, actions, guardrails, keys, members…"
                  : "Search pages, actions, keys, presets…"
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
                  {isSearching ? "Searching…" : `No results for “${search.trim()}”`}
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
