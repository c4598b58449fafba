import { Plus, Trash2 } from "lucide-react";
import { useRef } from "react";
import { useFieldArray, type UseFormReturn } from "react-hook-form";
import { NumberField } from "@/components/form/number-field";
import { SelectField } from "@/components/form/select-field";
import { TextField } from "@/components/form/text-field";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
import { JUDGE_ACTIONS, JUDGE_DEFAULTS, MAX_CHECKS } from "@/lib/records/guardrails/vocabulary";
import type { GuardrailValues } from "./guardrail-values";

const NEW_JUDGE = { name: "", model: "", instructions: "", action: "block", ...JUDGE_DEFAULTS } as const;
const ACTION_LABELS = { block: "Block", flag: "Flag" } as const;
const ACTION_OPTIONS = JUDGE_ACTIONS.map((value) => ({ value, label: ACTION_LABELS[value] }));

/** The guardrail's models as judges. */
export function JudgesSection({ form }: { form: UseFormReturn<GuardrailValues> }) {
  const { control } = form;
  const { fields, append, remove, insert } = useFieldArray({ control, name: "judges" });
  const addButton = useRef<HTMLButtonElement>(null);

  const removeAt = (index: number) => {
    const judge = form.getValues("judges")?.[index];
    remove(index);
    addButton.current?.focus();
    if (judge) {
      const restore = () => insert(Math.min(index, form.getValues("judges")?.length ?? 0), judge);
      toast.success(`Judge ${index + 1} removed`, { action: { label: "Undo", onClick: restore } });
    }
  };
  return (
    <Card
      id="judges"
      title="Model judges"
      description="Models that score each request against a rule. Each judgment is a request of its own that counts toward budgets. Without a score in time the request is rejected."
      className="grid gap-3"
    >
      {fields.length > 0 && (
        <ol className="grid gap-3">
          {fields.map(({ id }, index) => (
            <li key={id} className="rounded-md border bg-background p-3">
              <div role="group" aria-label={`Model judge ${index + 1}`} className="grid gap-3">
                <div className="flex items-end gap-3">
                  <div className="grid min-w-0 flex-1 gap-3 sm:grid-cols-[1fr_2fr]">
                    <TextField control={control} name={`judges.${index}.name`} label="Name" />
                    <TextField
                      control={control}
                      name={`judges.${index}.model`}
                      label="Model"
                      input={{ autoComplete: "off", placeholder: "openai/gpt-5-mini" }}
                    />
                  </div>
                  <Button
                    variant="ghost"
                    size="icon"
                    className="text-muted"
                    aria-label={`Remove judge ${index + 1}`}
                    onClick={() => removeAt(index)}
                  >
                    <Trash2 aria-hidden />
                  </Button>
                </div>
                <TextField
                  control={control}
                  name={`judges.${index}.instructions`}
                  label="Rule"
                  rows={3}
                  input={{ placeholder: "Requests for legal advice about a concrete case" }}
                />
                <div className="grid gap-3 sm:grid-cols-3">
                  <SelectField
                    control={control}
                    name={`judges.${index}.action`}
                    label="Action"
                    options={ACTION_OPTIONS}
                  />
                  <NumberField control={control} name={`judges.${index}.threshold`} label="Threshold (0 to 1)" />
                  <NumberField control={control} name={`judges.${index}.timeout_ms`} label="Deadline (ms)" />
                </div>
              </div>
            </li>
          ))}
        </ol>
      )}
      <Button
        ref={addButton}
        className="justify-self-start"
        disabled={fields.length >= MAX_CHECKS}
        onClick={() => append(NEW_JUDGE)}
      >
        <Plus aria-hidden /> Add judge
      </Button>
      {fields.length >= MAX_CHECKS && (
        <p className="text-[13px] text-muted">Limit reached: a guardrail can have {MAX_CHECKS} model judges.</p>
      )}
    </Card>
  );
}
