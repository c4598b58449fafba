import type { QueryClient } from "@tanstack/react-query";
import { toast } from "@/components/ui/toast";
import { toFailure, type ApiFailure } from "@/lib/browser/api-failure";
import type { UndoConflict } from "@/lib/guardrails/assignments-contract";
import { refreshEverything, undoChanges } from "./assignment-queries";

const SHOWN_CONFLICTS = 3;

function conflictText({ name, reason, guardrail_name }: UndoConflict): string {
  if (reason === "removed") return `${name} was deleted`;
  if (reason === "guardrail_removed") return `the guardrail that ${name} had was deleted`;
  return guardrail_name === null ? `${name} has no guardrail now` : `${name} has “${guardrail_name}” now`;
}

/** Why an undo was refused, with names: "CI has “Strict” now." */
function explainRefusal({ message, metadata }: ApiFailure): string {
  const conflicts = (metadata["conflicts"] ?? []) as UndoConflict[];
  if (conflicts.length === 0) return message;
  const shown = conflicts.slice(0, SHOWN_CONFLICTS).map(conflictText);
  const more = conflicts.length > SHOWN_CONFLICTS ? [`${conflicts.length - SHOWN_CONFLICTS} more`] : [];
  return `${[...shown, ...more].join("; ")}. Nothing was changed.`;
}

async function undo(client: QueryClient, changeIds: readonly string[]): Promise<void> {
  try {
    await undoChanges(changeIds);
    toast.success("Undone", { description: "The assignments are as they were before." });
  } catch (error) {
    const failure = toFailure(error);
    toast.error(failure.status === 409 ? "Can’t undo: somebody changed these assignments since" : "Could not undo", {
      description: explainRefusal(failure),
    });
  }
  await refreshEverything(client);
}

/** Says what was assigned or taken off, with the way back. */
export function showDone(client: QueryClient, title: string, description: string, changeIds: readonly string[]): void {
  const action = { label: "Undo", onClick: () => void undo(client, changeIds) };
  toast.success(title, changeIds.length > 0 ? { description, action } : { description });
}
