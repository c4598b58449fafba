"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Button } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import { toast } from "@/components/ui/toast";
import { call } from "@/lib/browser/api-client";
import { toFailure, type ApiFailure } from "@/lib/browser/api-failure";
import { apiQuery, invalidate } from "@/lib/browser/api-query";
import { getGeneration, listGenerations } from "@/lib/browser/operations/generations";
import { getGenerationContent } from "@/lib/browser/operations/content-access";
import { deleteGenerationContents } from "@/lib/browser/operations/content-access-removal";
import type { GenerationFilters } from "@/lib/records/generations/contract";
import { formatCount } from "./generation-format";

interface DeleteContentsDialogProps {
  filters: GenerationFilters;
  words: readonly string[];
  onClose: () => void;
}

const countQuery = (filters: GenerationFilters) => ({
  ...apiQuery(deleteGenerationContents, { query: { ...filters, dry_run: "true" } }),
  staleTime: 0,
  gcTime: 0,
});

/** Deletes in batches. `deleted` is null before the start; stopping keeps what has been deleted so far. */
function useDeletion(filters: GenerationFilters, onDone: () => void) {
  const client = useQueryClient();
  const [deleted, setDeleted] = useState<number | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const running = useRef<AbortController | null>(null);
  const start = async () => {
    const { signal } = (running.current = new AbortController());
    let total = deleted ?? 0;
    setDeleted(total);
    setFailure(null);
    try {
      for (let cursor: string | null | undefined; cursor !== null && !signal.aborted;) {
        const answer: { deleted_count: number; next_cursor: string | null } = await call(deleteGenerationContents, {
          query: { ...filters, ...(cursor && { cursor }) },
        });
        total += answer.deleted_count;
        cursor = answer.next_cursor;
        setDeleted(total);
      }
      toast.success(`${signal.aborted ? "Stopped. " : ""}${contents(total)} deleted`);
      onDone();
    } catch (error) {
      setFailure(toFailure(error));
    }
    await invalidate(client, listGenerations, getGeneration, getGenerationContent);
  };
  return { deleted, failure, start: () => void start(), stop: () => running.current?.abort() };
}

/** Confirms with the active filters and the count, then deletes. */
export function DeleteContentsDialog({ filters, words, onClose }: DeleteContentsDialogProps) {
  const preview = useQuery({ ...countQuery(filters), select: (answer) => answer.preview });
  const { deleted, failure, start, stop } = useDeletion(filters, onClose);
  const { count = 0, is_more = false } = preview.data ?? {};
  if (deleted !== null) {
    return (
      <DeletionProgress
        deleted={deleted}
        count={count}
        isMore={is_more}
        failure={failure}
        onStop={stop}
        onResume={start}
        onClose={onClose}
      />
    );
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Delete content of matching generations?"
      action="Delete content"
      typed="delete"
      isDisabled={count === 0}
      onConfirm={start}
      touches={<Touched words={words} />}
    >
      {preview.error ? (
        <FailureAlert failure={toFailure(preview.error)} />
      ) : (
        <p role="status" className="font-medium text-foreground">
          {preview.data
            ? count === 0
              ? "No matching generation has stored content."
              : `${is_more ? "More than " : ""}${contents(count)} will be deleted.`
            : "Counting…"}
        </p>
      )}
      <p>
        Prompts, completions, reasoning and stored errors are deleted for everyone. This can’t be undone. Records
        (model, cost, tokens and decisions) are kept.
      </p>
    </ConfirmDialog>
  );
}

interface DeletionProgressProps {
  deleted: number;
  count: number;
  /** True if there are more than `count`. */
  isMore: boolean;
  failure: ApiFailure | null;
  onStop: () => void;
  onResume: () => void;
  onClose: () => void;
}

function DeletionProgress({ deleted, count, isMore, failure, onStop, onResume, onClose }: DeletionProgressProps) {
  return (
    <Dialog
      open
      onOpenChange={() => undefined}
      isDismissible={false}
      title="Deleting content"
      description="Stopping doesn't restore what has already been deleted."
    >
      {failure && <FailureAlert failure={failure} />}
      <div className="grid gap-1.5">
        <Progress label="Deleting content" value={isMore ? null : deleted} max={count} />
        <p className="text-[13px] text-muted tabular-nums">
          {formatCount(deleted)} of {isMore ? `more than ${formatCount(count)}` : formatCount(count)}
        </p>
      </div>
      <DialogActions>
        {failure ? (
          <>
            <Button onClick={onClose}>Close</Button>
            <Button variant="danger" onClick={onResume}>
              Resume
            </Button>
          </>
        ) : (
          <Button onClick={onStop}>Stop</Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

const contents = (count: number) => (count === 1 ? "1 content" : `${formatCount(count)} contents`);

function Touched({ words }: { words: readonly string[] }) {
  return (
    <ul aria-label="Filters" className="grid gap-0.5">
      {words.map((word) => (
        <li key={word} className="wrap-anywhere">
          {word}
        </li>
      ))}
    </ul>
  );
}
