import { Plus } from "lucide-react";
import { useRef } from "react";
import { useFieldArray, type UseFormReturn } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { announce } from "@/lib/browser/announce";
import { MAX_CUSTOM_FILTERS } from "@/lib/records/guardrails/vocabulary";
import { CustomFilterRow } from "./custom-filter-row";
import type { GuardrailValues } from "./guardrail-values";

const NEW_FILTER = { pattern: "", label: null, action: "redact" } as const;

/** The guardrail's custom patterns, in evaluation order. */
export function CustomFilters({ form }: { form: UseFormReturn<GuardrailValues> }) {
  const { fields, append, remove, move, insert } = useFieldArray({ control: form.control, name: "content_filters" });
  const list = useRef<HTMLOListElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);

  const moveBy = (index: number, step: -1 | 1) => {
    move(index, index + step);
    announce(`Filter ${index + 1} moved to position ${index + step + 1} of ${fields.length}`);
    requestAnimationFrame(() => focusButton(list.current?.children[index + step], step < 0 ? [0, 1] : [1, 0]));
  };
  const removeAt = (index: number) => {
    const filter = form.getValues("content_filters")?.[index];
    remove(index);
    addButton.current?.focus();
    if (filter) {
      const restore = () => insert(Math.min(index, form.getValues("content_filters")?.length ?? 0), filter);
      toast.success(`Filter ${index + 1} removed`, { action: { label: "Undo", onClick: restore } });
    }
  };
  return (
    <div className="grid gap-3">
      {fields.length > 0 && (
        <ol ref={list} className="grid gap-3">
          {fields.map(({ id }, index) => (
            <li key={id} className="rounded-md border bg-background p-3">
              <CustomFilterRow
                form={form}
                index={index}
                isLast={index === fields.length - 1}
                onMove={(step) => moveBy(index, step)}
                onRemove={() => removeAt(index)}
              />
            </li>
          ))}
        </ol>
      )}
      <Button
        ref={addButton}
        className="justify-self-start"
        disabled={fields.length >= MAX_CUSTOM_FILTERS}
        onClick={() => append(NEW_FILTER)}
      >
        <Plus aria-hidden /> Add filter
      </Button>
      {fields.length >= MAX_CUSTOM_FILTERS && (
        <p className="text-[13px] text-muted">
          Limit reached: a guardrail can have {MAX_CUSTOM_FILTERS} custom filters.
        </p>
      )}
    </div>
  );
}

/** Keeps focus on the button that moved a row, or on its sibling when that button is now disabled. */
function focusButton(row: Element | undefined, order: readonly number[]): void {
  const buttons = row?.querySelectorAll<HTMLButtonElement>("[data-mover]");
  order
    .map((position) => buttons?.[position])
    .find((button) => button && !button.disabled)
    ?.focus();
}
