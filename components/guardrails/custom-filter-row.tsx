import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import type { UseFormReturn } from "react-hook-form";
import { SelectField } from "@/components/form/select-field";
import { TextField } from "@/components/form/text-field";
import { Button } from "@/components/ui/button";
import { ACTION_OPTIONS, DIRECTION_OPTIONS } from "./filter-options";
import type { GuardrailValues } from "./guardrail-values";
import { PatternField } from "./pattern-field";

interface CustomFilterRowProps {
  form: UseFormReturn<GuardrailValues>;
  index: number;
  isLast: boolean;
  onMove: (step: -1 | 1) => void;
  onRemove: () => void;
}

export function CustomFilterRow({ form, index, isLast, onMove, onRemove }: CustomFilterRowProps) {
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
