import { useRef, useEffect } from "react";
import type { UseFormReturn } from "react-hook-form";
import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import { announce } from "@/lib/browser/announce";
import { MAX_CUSTOM_FILTERS } from "@/lib/engine/filters/vocabulary";
import { SelectField } from "@/components/form/select-field";
import { TextField } from "@/components/form/text-field";
import { Button } from "@/components/ui/button";
import { fieldErrors } from "@/components/form/field-errors";
import { useField } from "@/components/form/use-field";
import { afterPress } from "@/components/ui/after-press";
import { CodeEditor } from "@/components/ui/code-editor";
import type { GuardrailValues } from "./guardrail-values";
import { RowList } from "./row-list";
import { useRows, useIsUnused } from "./use-rows";
import { ACTION_OPTIONS, DIRECTION_OPTIONS } from "./filter-options";

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

interface CustomFilterRowProps {
  form: UseFormReturn<GuardrailValues>;
  index: number;
  isLast: boolean;
  onMove: (step: -1 | 1) => void;
  onRemove: () => void;
}

function CustomFilterRow({ form, index, isLast, onMove, onRemove }: CustomFilterRowProps) {
  const { control } = form;
  const button = { variant: "ghost", size: "icon", className: "text-muted" } as const;
  return (
    <div role="group" aria-label={`Custom filter ${index + 1}`} className="grid gap-3">
      <PatternField form={form} index={index} />
      <div className="flex flex-wrap items-end gap-3">
        <div className="grid min-w-0 flex-1 gap-3 sm:grid-cols-[1fr_1fr_8rem]">
          <TextField
            control={control}
            name={`content_filters.${index}.label`}
            label="Label"
            isNullable
            input={{ placeholder: "[REDACTED]", autoComplete: "off" }}
          />
          <SelectField
            control={control}
            name={`content_filters.${index}.action`}
            label="Action"
            options={ACTION_OPTIONS}
          />
          <SelectField
            control={control}
            name={`content_filters.${index}.scope`}
            label="Scope"
            options={DIRECTION_OPTIONS}
            absent="request"
          />
        </div>
        <div className="flex">
          <Button
            {...button}
            data-mover
            aria-label={`Move filter ${index + 1} up`}
            disabled={index === 0}
            onClick={() => onMove(-1)}
          >
            <ArrowUp aria-hidden />
          </Button>
          <Button
            {...button}
            data-mover
            aria-label={`Move filter ${index + 1} down`}
            disabled={isLast}
            onClick={() => onMove(1)}
          >
            <ArrowDown aria-hidden />
          </Button>
          <Button {...button} aria-label={`Remove filter ${index + 1}`} onClick={onRemove}>
            <Trash2 aria-hidden />
          </Button>
        </div>
      </div>
    </div>
  );
}

const CHECK_DELAY_MS = 300;

/** Pattern input of a custom filter, validated while typing, on blur and on submit. A new pattern starts without an error. */
function PatternField({ form, index }: { form: UseFormReturn<GuardrailValues>; index: number }) {
  const name = `content_filters.${index}.pattern` as const;
  const { field, fieldState } = useField({ control: form.control, name });
  const timer = useRef<number>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const isUnused = useIsUnused(form, name);
  const leave = () => {
    field.onBlur();
    afterPress(validateSoon);
  };
  /** Delayed, because the click that leaves the field may remove the row. */
  const validateSoon = () => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => void form.trigger(name), CHECK_DELAY_MS);
  };
  const change = (pattern: string) => {
    field.onChange(pattern);
    validateSoon();
  };
  const [message] = isUnused ? [] : fieldErrors(fieldState.error);
  return (
    <div
      ref={(place) => {
        field.ref(place && { focus: () => focusTextbox(place) });
      }}
      onBlur={leave}
      className="grid gap-1.5"
    >
      <span aria-hidden className="text-[13px] font-medium">
        Pattern
      </span>
      <CodeEditor
        label="Pattern"
        language="regex"
        minLines={1}
        value={field.value}
        onChange={change}
        problem={message ? { message, ...placeOf(message, field.value) } : null}
      />
    </div>
  );
}

/** Position of the quoted part of the pattern: text between backticks, the start of `(?=…)`, or `\1`. */
function placeOf(message: string, pattern: string): { from?: number; to?: number } {
  const quoted = /`(.+)`|without (?:(.+)…\)|(.+))$/s.exec(message);
  const part = quoted?.[1] ?? quoted?.[2] ?? quoted?.[3];
  const from = part === undefined ? -1 : pattern.lastIndexOf(part);
  return part === undefined || from < 0 ? {} : { from, to: from + part.length };
}

/** The editor is loaded on first use, so its textbox may not exist yet. */
function focusTextbox(place: HTMLElement): void {
  const textbox = () => place.querySelector<HTMLElement>("[role=textbox]");
  if (textbox()) return textbox()?.focus();
  const arrival = new MutationObserver(() => {
    if (!textbox()) return;
    arrival.disconnect();
    textbox()?.focus();
  });
  arrival.observe(place, { childList: true, subtree: true });
}
