import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import { useFieldArray, type Control } from "react-hook-form";
import { SelectField } from "@/components/form/select-field";
import { TextField } from "@/components/form/text-field";
import { Button } from "@/components/ui/button";
import { MAX_CUSTOM_FILTERS } from "@/lib/guardrails/contract";
import { ACTION_OPTIONS } from "./filter-options";
import type { GuardrailValues } from "./guardrail-values";

const NEW_FILTER = { pattern: "", label: null, action: "redact" } as const;

export function CustomFilters({ control }: { control: Control<GuardrailValues> }) {
  const { fields, append, remove, move } = useFieldArray({ control, name: "content_filters" });
  return (
    <div className="grid gap-3">
      {fields.length > 0 && (
        <ol className="grid gap-3">
          {fields.map(({ id }, index) => (
            <li key={id} className="flex items-start gap-2 rounded-md border bg-background p-3">
              <div role="group" aria-label={`Custom filter ${index + 1}`} className="grid min-w-0 flex-1 gap-3 sm:grid-cols-[minmax(0,1fr)_10rem_8rem]">
                <TextField
                  control={control}
                  name={`content_filters.${index}.pattern`}
                  label="Pattern"
                  input={{ placeholder: "PROJ-[0-9]{4}", className: "font-mono text-[13px]", spellCheck: false, autoComplete: "off" }}
                />
                <TextField
                  control={control}
                  name={`content_filters.${index}.label`}
                  label="Label"
                  isNullable
                  input={{ placeholder: "[REDACTED]", autoComplete: "off" }}
                />
                <SelectField control={control} name={`content_filters.${index}.action`} label="Action" options={ACTION_OPTIONS} />
              </div>
              <div className="mt-6 flex flex-col gap-0.5 sm:flex-row">
                <Button variant="ghost" size="icon" className="text-muted" aria-label={`Move filter ${index + 1} up`} disabled={index === 0} onClick={() => move(index, index - 1)}>
                  <ArrowUp aria-hidden />
                </Button>
                <Button variant="ghost" size="icon" className="text-muted" aria-label={`Move filter ${index + 1} down`} disabled={index === fields.length - 1} onClick={() => move(index, index + 1)}>
                  <ArrowDown aria-hidden />
                </Button>
                <Button variant="ghost" size="icon" className="text-muted" aria-label={`Remove filter ${index + 1}`} onClick={() => remove(index)}>
                  <Trash2 aria-hidden />
                </Button>
              </div>
            </li>
          ))}
        </ol>
      )}
      <Button className="justify-self-start" disabled={fields.length >= MAX_CUSTOM_FILTERS} onClick={() => append(NEW_FILTER)}>
        <Plus aria-hidden /> Add a filter
      </Button>
    </div>
  );
}
