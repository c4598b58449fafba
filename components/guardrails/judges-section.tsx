import { useFieldArray, type UseFormReturn } from "react-hook-form";
import { NumberField } from "@/components/form/number-field";
import { SelectField } from "@/components/form/select-field";
import { TextField } from "@/components/form/text-field";
import { Card } from "@/components/ui/card";
import { JUDGE_ACTIONS, JUDGE_DEFAULTS, MAX_CHECKS } from "@/lib/records/guardrails/vocabulary";
import { DIRECTION_OPTIONS } from "./filter-options";
import type { GuardrailValues } from "./guardrail-values";
import { RowHead, RowList } from "./row-list";

const NEW_JUDGE = { name: "", model: "", instructions: "", action: "block", ...JUDGE_DEFAULTS } as const;
const ACTION_LABELS = { block: "Block", flag: "Flag" } as const;
const ACTION_OPTIONS = JUDGE_ACTIONS.map((value) => ({ value, label: ACTION_LABELS[value] }));

/** The guardrail's models as judges. */
export function JudgesSection({ form }: { form: UseFormReturn<GuardrailValues> }) {
  const { control } = form;
  const { fields, append, remove, insert } = useFieldArray({ control, name: "judges" });
  const removeAt = (index: number) => {
    const judge = form.getValues("judges")?.[index];
    remove(index);
    return () => judge && insert(Math.min(index, form.getValues("judges")?.length ?? 0), judge);
  };
  return (
    <Card
      id="judges"
      title="Model judges"
      description="Models that score requests and responses against a rule. Each judgment is a request of its own that counts toward budgets. Without a score in time they are rejected. A streamed response is held back until it has been judged."
    >
      <RowList
        rows={fields}
        noun="judge"
        plural="model judges"
        max={MAX_CHECKS}
        onAdd={() => append(NEW_JUDGE)}
        onRemove={removeAt}
      >
        {(_, index, onRemove) => (
          <div role="group" aria-label={`Model judge ${index + 1}`} className="grid gap-3">
            <RowHead removeLabel={`Remove judge ${index + 1}`} onRemove={onRemove}>
              <TextField control={control} name={`judges.${index}.name`} label="Name" />
              <TextField
                control={control}
                name={`judges.${index}.model`}
                label="Model"
                input={{ autoComplete: "off", placeholder: "openai/gpt-5-mini" }}
              />
            </RowHead>
            <TextField
              control={control}
              name={`judges.${index}.instructions`}
              label="Instructions"
              rows={3}
              input={{ placeholder: "Requests for legal advice about a concrete case" }}
            />
            <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
              <SelectField control={control} name={`judges.${index}.action`} label="Action" options={ACTION_OPTIONS} />
              <SelectField
                control={control}
                name={`judges.${index}.scope`}
                label="Scope"
                options={DIRECTION_OPTIONS}
                absent="request"
              />
              <NumberField control={control} name={`judges.${index}.threshold`} label="Threshold (0 to 1)" />
              <NumberField control={control} name={`judges.${index}.timeout_ms`} label="Deadline (ms)" />
            </div>
          </div>
        )}
      </RowList>
    </Card>
  );
}
