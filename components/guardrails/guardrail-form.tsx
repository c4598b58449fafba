"use client";
import Link from "next/link";
import { FailureAlert } from "@/components/form/failure-alert";
import { UnsavedGuard } from "@/components/form/unsaved-guard";
import { Button } from "@/components/ui/button";
import type { Guardrail } from "@/lib/guardrails/contract";
import { BasicsSection } from "./basics-section";
import { BudgetSection } from "./budget-section";
import { ConflictDialog } from "./conflict-dialog";
import { FiltersSection } from "./filters-section";
import { RoutingSection } from "./routing-section";
import { useGuardrailEditor } from "./use-guardrail-editor";
import { ZdrSection } from "./zdr-section";

const OUTLINE = [
  { id: "basics", label: "Basics" },
  { id: "models", label: "Models" },
  { id: "providers", label: "Providers" },
  { id: "zdr", label: "Zero data retention" },
  { id: "filters", label: "Content filters" },
  { id: "budget", label: "Budget" },
] as const;

interface GuardrailFormProps {
  /** Null: a new one. */
  guardrail: Guardrail | null;
  onSaved: (saved: Guardrail) => void;
}

export function GuardrailForm({ guardrail, onSaved }: GuardrailFormProps) {
  const { form, save, failure, conflict } = useGuardrailEditor(guardrail, onSaved);
  const { control, formState } = form;
  const isNew = guardrail === null;
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[10rem_minmax(0,48rem)]">
      <Outline />
      <form noValidate onSubmit={(event) => void save(event)} className="grid gap-4">
        <BasicsSection control={control} />
        <RoutingSection control={control} noun="models" />
        <RoutingSection control={control} noun="providers" />
        <ZdrSection control={control} />
        <FiltersSection control={control} />
        <BudgetSection control={control} />
        <div className="sticky bottom-0 z-20 -mx-1 grid gap-3 border-t bg-background/95 px-1 py-3 backdrop-blur-sm">
          {failure && <FailureAlert failure={failure} />}
          <div className="flex flex-wrap items-center justify-end gap-2">
            <p aria-live="polite" className="mr-auto text-[13px] text-muted">
              {formState.isDirty ? "Unsaved changes" : ""}
            </p>
            {isNew ? (
              <Button asChild>
                <Link href="/guardrails">Cancel</Link>
              </Button>
            ) : (
              <Button disabled={!formState.isDirty || formState.isSubmitting} onClick={() => form.reset()}>
                Discard
              </Button>
            )}
            <Button type="submit" variant="primary" disabled={formState.isSubmitting || (!isNew && !formState.isDirty)}>
              {isNew ? "Create guardrail" : "Save changes"}
            </Button>
          </div>
        </div>
      </form>
      <UnsavedGuard isDirty={formState.isDirty && !formState.isSubmitting} />
      {conflict && <ConflictDialog conflict={conflict} />}
    </div>
  );
}

function Outline() {
  return (
    <nav aria-label="Sections" className="sticky top-19 hidden lg:block">
      <ul className="grid gap-0.5 text-[13px]">
        {OUTLINE.map(({ id, label }) => (
          <li key={id}>
            <a href={`#${id}`} className="block rounded-md px-2 py-1 text-muted hover:bg-subtle hover:text-foreground">
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
