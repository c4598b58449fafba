import type { QueryClient } from "@tanstack/react-query";
import { toast } from "@/components/ui/toast";
import { toFailure, type ApiFailure } from "@/lib/browser/api-failure";
import type { UndoConflict } from "@/lib/records/guardrails/assignments-contract";
import { refreshEverything, undoChanges } from "./assignment-queries";

const SHOWN_CONFLICTS = 3;

function conflictText({ name, reason, guardrail_name }: UndoConflict): string {
  if (reason === "removed") return `${name} was deleted`;
  if (reason === "guardrail_removed") return `the guardrail of ${name} was deleted`;
  return guardrail_name === null ? `${name} no longer has a guardrail` : `${name} now has “${guardrail_name}”`;
}

/** Reason an undo was rejected, with names: "CI now has “Strict”." */
function explainConflict({ message, metadata }: ApiFailure): string {
  const conflicts = (metadata["conflicts"] ?? []) as UndoConflict[];
  if (conflicts.length === 0) return message;
  const shown = conflicts.slice(0, SHOWN_CONFLICTS).map(conflictText);
  const more = conflicts.length > SHOWN_CONFLICTS ? [`${conflicts.length - SHOWN_CONFLICTS} more`] : [];
  return `${[...shown, ...more].join("; ")}. No changes were made.`;
}

async function undo(client: QueryClient, changeIds: readonly string[]): Promise<void> {
  try {
    await undoChanges(changeIds);
    toast.success("Undone", { description: "Previous assignments restored." });
  } catch (error) {
    const failure = toFailure(error);
    toast.error(failure.status === 409 ? "Can’t undo: these assignments have changed since" : "Couldn't undo", {
      description: explainConflict(failure),
    });
  }
  await refreshEverything(client);
}

/** Toast about an assignment or removal, with undo. */
export function showDone(client: QueryClient, title: string, description: string, changeIds: readonly string[]): void {
  const action = { label: "Undo", onClick: () => void undo(client, changeIds) };
  toast.success(title, changeIds.length > 0 ? { description, action } : { description });
}
