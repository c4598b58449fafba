import { useRef } from "react";
import type { UseFormReturn } from "react-hook-form";
import { announce } from "@/lib/browser/announce";
import { MAX_CUSTOM_FILTERS } from "@/lib/records/guardrails/vocabulary";
import { CustomFilterRow } from "./custom-filter-row";
import type { GuardrailValues } from "./guardrail-values";
import { RowList } from "./row-list";
import { useRows } from "./use-rows";

const NEW_FILTER = { pattern: "", label: null, action: "redact" } as const;

/** The guardrail's custom patterns, in evaluation order. */
export function CustomFilters({ form }: { form: UseFormReturn<GuardrailValues> }) {
  const { fields, append, move, remove } = useRows(form, "content_filters");
  const list = useRef<HTMLOListElement>(null);

  const moveBy = (index: number, step: -1 | 1) => {
    move(index, index + step);
    announce(`Filter ${index + 1} moved to position ${index + step + 1} of ${fields.length}`);
    requestAnimationFrame(() => focusButton(list.current?.children[index + step], step < 0 ? [0, 1] : [1, 0]));
  };
  return (
    <RowList
      ref={list}
      rows={fields}
      noun="filter"
      plural="custom filters"
      max={MAX_CUSTOM_FILTERS}
      onAdd={() => append(NEW_FILTER)}
      onRemove={remove}
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
    .find((button) => button?.matches(":enabled:not([aria-disabled=true])"))
    ?.focus();
}
