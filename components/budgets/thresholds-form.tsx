"use client";
import { useForm } from "react-hook-form";
import { FailureAlert } from "@/components/form/failure-alert";
import { Field } from "@/components/form/field";
import { listErrors } from "@/components/form/field-errors";
import { formResolver } from "@/components/form/form-resolver";
import { useField } from "@/components/form/use-field";
import { Button } from "@/components/ui/button";
import { ChipsInput } from "@/components/ui/chips-input";
import type { ApiFailure } from "@/lib/browser/api-failure";
import { ThresholdValues } from "@/lib/records/budgets/thresholds-contract";

interface Values {
  percents: number[];
}

const check = formResolver<Values, Values>(ThresholdValues);

interface ThresholdsFormProps {
  percents: readonly number[];
  hint: string;
  isPending: boolean;
  failure: ApiFailure | null;
  onSave: (percents: number[]) => void;
}

/** Form for the warning thresholds, in percent of a limit. */
export function ThresholdsForm({ percents, hint, isPending, failure, onSave }: ThresholdsFormProps) {
  const form = useForm<Values>({ resolver: check, values: { percents: [...percents] } });
  const { field, fieldState } = useField({ control: form.control, name: "percents" });
  const { messages, entries } = listErrors(fieldState.error);
  const submit = form.handleSubmit((values) => onSave(values.percents));
  return (
    <form
      noValidate
      aria-label="Budget warnings"
      onSubmit={(event) => void submit(event)}
      className="grid max-w-md gap-3"
    >
      <Field label="Warn at (percent)" hint={hint} errors={messages}>
        {(wiring) => (
          <ChipsInput
            {...wiring}
            inputRef={field.ref}
            value={field.value.map(String)}
            onChange={(value) => field.onChange(value.map((text) => Number(text.replace(/%$/, ""))))}
            onBlur={field.onBlur}
            invalid={entries}
            placeholder="No warnings"
          />
        )}
      </Field>
      {failure && <FailureAlert failure={failure} />}
      <div>
        <Button type="submit" variant="primary" disabled={isPending || !form.formState.isDirty}>
          Save warnings
        </Button>
      </div>
    </form>
  );
}
