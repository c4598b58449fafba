import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { sessionQuery } from "@/components/session/session-queries";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { RelativeTime } from "@/components/ui/relative-time";
import { Segmented } from "@/components/ui/segmented";
import type { GuardrailField, GuardrailValues } from "./guardrail-values";
import { toValues } from "./guardrail-values";
import { mergedValues, mergeFields, type MergeField, type Side } from "./merge";
import type { useGuardrailEditor } from "./use-guardrail-editor";
import { fieldLabel, valueLines } from "./value-text";

type Conflict = NonNullable<ReturnType<typeof useGuardrailEditor>["conflict"]>;

const SIDES = [
  { value: "theirs", label: "Theirs" },
  { value: "yours", label: "Yours" },
] as const;

/** Resolves an edit conflict: lists every differing field and lets the user pick a side for each. */
export function MergeDialog({ conflict: { base, newer, yours, merge, close } }: { conflict: Conflict }) {
  const sides = { base: toValues(base), theirs: toValues(newer), yours };
  const fields = mergeFields(sides.base, sides.theirs, sides.yours);
  const [chosen, setChosen] = useState<Partial<Record<GuardrailField, Side>>>({});
  const sideOf = ({ field, changedBy }: MergeField): Side =>
    chosen[field] ?? (changedBy === "theirs" ? "theirs" : "yours");
  const choices = Object.fromEntries(fields.map((each) => [each.field, sideOf(each)]));
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      className="max-w-3xl"
      title="This guardrail changed while you were editing"
      description={
        <>
          Revision {newer.revision} was saved <RelativeTime at={newer.updated_at ?? newer.created_at} />. Choose which
          value to keep for each field. Your changes haven't been saved yet.
        </>
      }
    >
      {fields.length === 0 ? (
        <p>Both versions contain the same changes.</p>
      ) : (
        <div className="grid gap-3">
          {fields.map((each) => (
            <MergeRow
              key={each.field}
              {...each}
              sides={sides}
              side={sideOf(each)}
              onChange={(side) => setChosen({ ...chosen, [each.field]: side })}
            />
          ))}
        </div>
      )}
      <DialogActions>
        <Button onClick={close}>Keep editing</Button>
        <Button variant="primary" onClick={() => void merge(mergedValues(sides.theirs, sides.yours, choices))}>
          {Object.values(choices).includes("yours")
            ? `Save as revision ${newer.revision + 1}`
            : `Continue with revision ${newer.revision}`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface MergeRowProps extends MergeField {
  sides: Record<"base" | Side, GuardrailValues>;
  side: Side;
  onChange: (side: Side) => void;
}

const COLUMNS = [
  { key: "base", label: "Before" },
  { key: "theirs", label: "Theirs" },
  { key: "yours", label: "Yours" },
] as const;

function MergeRow({ field, changedBy, sides, side, onChange }: MergeRowProps) {
  const { data: session } = useQuery(sessionQuery);
  const label = fieldLabel(field, session?.zdr_vendors ?? []);
  return (
    <div role="group" aria-label={label} className="grid gap-2.5 rounded-lg border p-3">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="text-[13px] font-semibold">{label}</h3>
        {changedBy === "both" && <Badge tone="warning">Changed by both</Badge>}
        <Segmented
          label={`${label} becomes`}
          className="ml-auto"
          value={side}
          onValueChange={onChange}
          options={SIDES}
        />
      </div>
      <dl className="grid gap-2 text-[13px] sm:grid-cols-3">
        {COLUMNS.map(({ key, label: title }) => (
          <div
            key={key}
            className={cn(
              "grid content-start gap-0.5 rounded-md border p-2 border-transparent",
              key === side && "border-accent bg-accent-subtle",
            )}
          >
            <dt className="text-muted">{title}</dt>
            <dd className="max-h-40 overflow-y-auto wrap-anywhere whitespace-pre-wrap">
              {valueLines(field, sides[key]).join("\n") || <span className="text-muted">Empty</span>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
