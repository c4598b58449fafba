import { useRef } from "react";
import { useFieldArray, type UseFormReturn } from "react-hook-form";
import { announce } from "@/lib/browser/announce";
import { MAX_CUSTOM_FILTERS } from "@/lib/records/guardrails/vocabulary";
import { CustomFilterRow } from "./custom-filter-row";
import type { GuardrailValues } from "./guardrail-values";
import { RowList } from "./row-list";

const NEW_FILTER = { pattern: "", label: null, action: "redact" } as const;

/** The guardrail's custom patterns, in evaluation order. */
export function CustomFilters({ form }: { form: UseFormReturn<GuardrailValues> }) {
  const { fields, append, remove, move, insert } = useFieldArray({ control: form.control, name: "content_filters" });
  const list = useRef<HTMLOListElement>(null);

  const moveBy = (index: number, step: -1 | 1) => {
    move(index, index + step);
    announce(`Filter ${index + 1} moved to position ${index + step + 1} of ${fields.length}`);
    requestAnimationFrame(() => focusButton(list.current?.children[index + step], step < 0 ? [0, 1] : [1, 0]));
  };
  const removeAt = (index: number) => {
    const filter = form.getValues("content_filters")?.[index];
    remove(index);
    return () => filter && insert(Math.min(index, form.getValues("content_filters")?.length ?? 0), filter);
  };
  return (
    <RowList
      ref={list}
      rows={fields}
      noun="filter"
      plural="custom filters"
      max={MAX_CUSTOM_FILTERS}
      onAdd={() => append(NEW_FILTER)}
      onRemove={removeAt}
    >
      {(_, index, onRemove) => (
        <CustomFilterRow
          form={form}
          index={index}
          isLast={index === fields.length - 1}
          onMove={(step) => moveBy(index, step)}
          onRemove={onRemove}
        />
      )}
    </RowList>
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
