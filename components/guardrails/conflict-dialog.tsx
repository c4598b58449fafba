import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { RelativeTime } from "@/components/ui/relative-time";
import { FIELD_LABELS } from "./field-labels";
import type { GuardrailField } from "./guardrail-values";
import type { useGuardrailEditor } from "./use-guardrail-editor";

type Conflict = NonNullable<ReturnType<typeof useGuardrailEditor>["conflict"]>;

const labels = (fields: readonly string[]) => [...new Set(fields.map((field) => FIELD_LABELS[field as GuardrailField]))].join(", ");

/** Somebody saved first: shows what both sides changed, and loses neither unasked. */
export function ConflictDialog({ conflict: { newer, mine, theirs, keepMine, takeTheirs, close } }: { conflict: Conflict }) {
  const both = Object.keys(mine).filter((field) => field in theirs);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      title="This guardrail changed while you were editing"
      description={
        <>
          Revision {newer.revision} was saved <RelativeTime at={newer.updated_at ?? newer.created_at} />. Nothing of yours has been saved yet.
        </>
      }
    >
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
        <dt className="text-muted">They changed</dt>
        <dd>{labels(Object.keys(theirs)) || "Nothing that you see here"}</dd>
        <dt className="text-muted">You changed</dt>
        <dd>{labels(Object.keys(mine))}</dd>
        {both.length > 0 && (
          <>
            <dt className="font-medium text-warning">Both</dt>
            <dd>{labels(both)}: yours would replace theirs</dd>
          </>
        )}
      </dl>
      <DialogActions>
        <Button onClick={takeTheirs}>Discard mine, load theirs</Button>
        <Button variant="primary" onClick={keepMine}>
          Keep mine on top of theirs
        </Button>
      </DialogActions>
    </Dialog>
  );
}
