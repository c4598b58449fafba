import { useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useState } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { DataState } from "@/components/layout/data-state";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Input } from "@/components/ui/input";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { toFailure } from "@/lib/browser/api-failure";
import type { Generation } from "@/lib/records/generations/contract";
import { promptListQuery, useLoadPrompt } from "./test-panel-queries";
import { testProtocol, type Message, type Protocol } from "./test-request";

interface PickedPrompt {
  messages: Message[];
  model: string;
  protocol: Protocol;
}

/** Picks the prompt of a logged request. */
export function StoredPrompts({ onPick }: { onPick: (picked: PickedPrompt) => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" className="justify-self-start" onClick={() => setOpen(true)}>
        <History aria-hidden /> Use stored prompt
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Use stored prompt"
        description="Recent requests with stored content."
      >
        {isOpen && (
          <PromptList
            onPick={(picked) => {
              onPick(picked);
              setOpen(false);
            }}
          />
        )}
      </Dialog>
    </>
  );
}

function PromptList({ onPick }: { onPick: (picked: PickedPrompt) => void }) {
  const [q, setQ] = useState("");
  const generations = useQuery(promptListQuery(q));
  const loading = useLoadPrompt();
  const pick = ({ id, requested_model, protocol }: Generation) =>
    loading.mutate(id, {
      onSuccess: (messages) =>
        onPick({
          messages: messages.map(({ role, content }) => ({ role, content })),
          model: requested_model,
          protocol: testProtocol(protocol),
        }),
    });
  return (
    <div className="grid gap-3">
      <Input
        type="search"
        aria-label="Search prompts"
        placeholder="Text in the prompt or response"
        value={q}
        onChange={({ target }) => setQ(target.value)}
      />
      {loading.error && <FailureAlert failure={toFailure(loading.error)} />}
      <DataState query={generations} subject="stored prompts" skeleton={<Skeleton className="h-40" />}>
        {({ data }) => {
          const stored = data.filter(({ content_stored }) => content_stored);
          if (stored.length === 0) return <p className="text-muted">No stored prompts found.</p>;
          return (
            <ul aria-label="Stored prompts" className="grid max-h-80 overflow-y-auto">
              {stored.map((generation) => (
                <li key={generation.id}>
                  <button
                    type="button"
                    disabled={loading.isPending}
                    className="flex w-full flex-wrap items-baseline justify-between gap-x-3 rounded-md px-2 py-1.5 text-left hover:bg-subtle focus-visible:-outline-offset-2"
                    onClick={() => pick(generation)}
                  >
                    <span className="font-mono text-[13px] wrap-anywhere">{generation.requested_model}</span>
                    <span className="text-[13px] text-muted">
                      {generation.status}, <RelativeTime at={generation.created_at} />
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          );
        }}
      </DataState>
    </div>
  );
}
