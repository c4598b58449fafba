import type { UseFormReturn } from "react-hook-form";
import { JUDGE_DEFAULTS, MAX_CHECKS, JUDGE_ACTIONS } from "@/lib/engine/checks/vocabulary";
import { NumberField } from "@/components/form/number-field";
import { SelectField } from "@/components/form/select-field";
import { TextField } from "@/components/form/text-field";
import type { GuardrailValues } from "./guardrail-values";
import { RowList, RowHead } from "./row-list";
import { useRows, useIsUnused } from "./use-rows";
import { DIRECTION_OPTIONS } from "./filter-options";
import { useModelOptions } from "./routing-options";

const NEW_JUDGE = { name: "", model: "", instructions: "", action: "block", ...JUDGE_DEFAULTS } as const;

/** The guardrail's models as judges. */
export function JudgesSection({ form }: { form: UseFormReturn<GuardrailValues> }) {
  const { fields, append, remove } = useRows(form, "judges");
  return (
    <>
      <p className="text-[13px] text-muted">
        Models that score requests and responses against a rule. Each judgment is a separate request that counts toward
        budgets. Requests and responses are rejected if a judge gives no score in time. A streamed response is held back
        until it has been judged.
      </p>
      <RowList
        rows={fields}
        noun="judge"
        plural="model judges"
        max={MAX_CHECKS}
        onAdd={() => append(NEW_JUDGE)}
        onRemove={remove}
      >
        {(_, index, onRemove) => <JudgeRow form={form} index={index} onRemove={onRemove} />}
      </RowList>
    </>
  );
}

const ACTION_LABELS = { block: "Block", flag: "Flag" } as const;
const ACTION_OPTIONS = JUDGE_ACTIONS.map((value) => ({ value, label: ACTION_LABELS[value] }));

interface JudgeRowProps {
  form: UseFormReturn<GuardrailValues>;
  index: number;
  onRemove: () => void;
}

function JudgeRow({ form, index, onRemove }: JudgeRowProps) {
  const { control } = form;
  useIsUnused(form, `judges.${index}.name`);
  useIsUnused(form, `judges.${index}.model`);
  useIsUnused(form, `judges.${index}.instructions`);
  return (
    <div role="group" aria-label={`Model judge ${index + 1}`} className="grid gap-3">
      <RowHead removeLabel={`Remove judge ${index + 1}`} onRemove={onRemove}>
        <TextField control={control} name={`judges.${index}.name`} label="Name" />
        <TextField
          control={control}
          name={`judges.${index}.model`}
          label="Model"
          suggestions={useModelOptions()}
          input={{ placeholder: "openai/gpt-5-mini" }}
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
  );
}
