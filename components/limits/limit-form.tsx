"use client";
import type { z } from "zod";
import { useForm, useFormState, useWatch, type Control } from "react-hook-form";
import { AmountField } from "@/components/form/amount-field";
import { FoldedFields } from "@/components/form/folded-fields";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { NumberField } from "@/components/form/number-field";
import { SelectField } from "@/components/form/select-field";
import { SwitchField } from "@/components/form/switch-field";
import { TextField } from "@/components/form/text-field";
import { useField } from "@/components/form/use-field";
import { Field } from "@/components/form/field";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { LIMIT_METRICS, type LimitMetric } from "@/lib/engine/budgets/vocabulary";
import { LIMIT_INTERVALS, RESET_INTERVALS } from "@/lib/engine/vocabulary";
import { CreateLimitBody, type Limit } from "@/lib/records/limits/contract";
import { useCreateLimit, useUpdateLimit } from "./limit-queries";
import { explain, INTERVAL_LABELS, METRIC_LABELS, startText, WEEKDAY_OPTIONS } from "./limit-text";
import { newValues, valuesOf, type LimitValues } from "./limit-values";
import { SubjectFields } from "./subject-fields";

const checkBody = formResolver(CreateLimitBody);

const METRIC_OPTIONS = LIMIT_METRICS.map((value) => ({ value, label: METRIC_LABELS[value] }));
const intervalOptions = (metric: LimitMetric) =>
  (metric === "spend" ? RESET_INTERVALS : LIMIT_INTERVALS).map((value) => ({ value, label: INTERVAL_LABELS[value] }));

const DEFAULT_INTERVALS = {
  spend: "monthly",
  requests: "minutely",
  tokens: "minutely",
  concurrent_requests: null,
} as const satisfies Record<LimitMetric, LimitValues["reset_interval"]>;

interface LimitFormProps {
  /** Null for a new limit. */
  limit: Limit | null;
  onCreated?: (id: string) => void;
}

/** Form of a limit, which says in a sentence what it does. */
export function LimitForm({ limit, onCreated }: LimitFormProps) {
  const creation = useCreateLimit();
  const update = useUpdateLimit(limit?.id ?? "");
  const form = useForm<LimitValues, unknown, z.output<typeof CreateLimitBody>>({
    resolver: checkBody,
    defaultValues: limit ? valuesOf(limit) : newValues(Intl.DateTimeFormat().resolvedOptions().timeZone),
  });
  const { control } = form;
  const known =
    limit?.subject_ids?.map((value, index) => ({ value, label: limit.subject_names?.[index] ?? value })) ?? [];
  const fields = (
    <>
      <TextField
        control={control}
        name="name"
        label="Name"
        input={{ autoComplete: "off", maxLength: 100, autoFocus: !limit }}
      />
      <SubjectFields control={control} isNew={!limit} known={known} />
      <AmountFields control={control} isNew={!limit} />
      <PeriodFields control={control} />
      {limit && (
        <SwitchField control={control} name="enabled" label="Enabled" hint="While it is off, nothing is counted." />
      )}
      <Explanation control={control} known={known} />
    </>
  );
  const saved = ({ data }: { data: Limit }) => {
    form.reset(valuesOf(data));
    toast.success(limit ? "Limit saved" : "Limit created");
    if (!limit) onCreated?.(data.id);
  };
  return limit ? (
    <MutationForm
      form={form}
      mutation={update}
      toVariables={({ subject_type: _, metric: __, workspace_id: ___, ...changes }) => changes}
      onSaved={saved}
      action="Save changes"
      isEdit
      isGuarded
      label="Limit"
    >
      {fields}
    </MutationForm>
  ) : (
    <MutationForm form={form} mutation={creation} onSaved={saved} action="Create limit" isGuarded label="Limit">
      {fields}
    </MutationForm>
  );
}

function AmountFields({ control, isNew }: { control: Control<LimitValues>; isNew: boolean }) {
  const { field: metric } = useField({ control, name: "metric" });
  const { field: interval } = useField({ control, name: "reset_interval" });
  const { field: carry } = useField({ control, name: "carry_over" });
  const counted = metric.value;
  const change = (next: LimitMetric) => {
    metric.onChange(next);
    interval.onChange(DEFAULT_INTERVALS[next]);
    if (next !== "spend") carry.onChange(false);
  };
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {isNew && (
        <Field label="Counts" errors={[]}>
          {(wiring) => <Select {...wiring} value={counted} onValueChange={change} options={METRIC_OPTIONS} />}
        </Field>
      )}
      {counted === "spend" ? (
        <AmountField control={control} name="amount" label="Limit (USD)" />
      ) : (
        <NumberField
          control={control}
          name="amount"
          label={`Limit (${METRIC_LABELS[counted].toLowerCase()})`}
          hint={
            counted === "tokens"
              ? "Of prompts and responses. A running request counts with the most it can use."
              : undefined
          }
        />
      )}
      {counted !== "concurrent_requests" && (
        <SelectField
          control={control}
          name="reset_interval"
          label="Resets"
          options={intervalOptions(counted)}
          {...(counted === "spend" && { none: "Never" })}
        />
      )}
    </div>
  );
}

const ZONES = Intl.supportedValuesOf("timeZone").map((value) => ({ value, label: value }));

/** Time zone and start of the period, and what happens with the rest of one. */
function PeriodFields({ control }: { control: Control<LimitValues> }) {
  const [metric, interval, time_zone, starts, carry_over, include_byok] = useWatch({
    control,
    name: ["metric", "reset_interval", "time_zone", "starts", "carry_over", "include_byok"],
  });
  const { errors } = useFormState({ control, name: ["time_zone", "starts", "carry_over"] });
  const { field: weekday } = useField({ control, name: "starts.weekday" });
  const start = startText({ reset_interval: interval ?? null, time_zone: time_zone ?? "UTC", starts: starts ?? {} });
  const isSpend = metric === "spend";
  if (start === null && !isSpend) return null;
  return (
    <FoldedFields
      title="Period and counting"
      summary={
        [start, carry_over && "Carries over.", include_byok && "Includes BYOK."].filter(Boolean).join(" ") || "default"
      }
      hasError={Boolean(errors.time_zone ?? errors.starts ?? errors.carry_over)}
    >
      {start !== null && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField control={control} name="time_zone" label="Time zone" suggestions={ZONES} />
          <NumberField control={control} name="starts.hour" label="Hour (0 to 23)" />
          {interval === "weekly" && (
            <Field label="First day of the week" errors={[]}>
              {(wiring) => (
                <Select
                  {...wiring}
                  value={String(weekday.value)}
                  onValueChange={(day) => weekday.onChange(Number(day))}
                  options={WEEKDAY_OPTIONS}
                />
              )}
            </Field>
          )}
          {interval === "monthly" && (
            <NumberField
              control={control}
              name="starts.month_day"
              label="First day of the month"
              hint="In a shorter month, its last day."
            />
          )}
        </div>
      )}
      {isSpend && interval !== null && (
        <SwitchField
          control={control}
          name="carry_over"
          label="Carry over"
          hint="Adds what is unspent at the end of a period to the next one, once."
        />
      )}
      {isSpend && (
        <SwitchField
          control={control}
          name="include_byok"
          label="Include BYOK spend"
          hint="Counts spend on your own provider keys."
        />
      )}
    </FoldedFields>
  );
}

/** The limit in a sentence, as it would be saved. */
function Explanation({
  control,
  known,
}: {
  control: Control<LimitValues>;
  known: readonly { value: string; label: string }[];
}) {
  const values = useWatch({ control });
  const { amount, metric = "spend", subject_type = "organization", subject_ids = null } = values;
  if (typeof amount !== "number" || Number.isNaN(amount)) return null;
  const ids = subject_ids;
  if (ids?.length === 0) return null;
  return (
    <p aria-live="polite" className="rounded-md bg-subtle px-3 py-2 text-[13px] wrap-anywhere">
      {explain({
        subject_type,
        subject_ids: ids,
        names: ids?.map((id) => known.find(({ value }) => value === id)?.label ?? id.slice(0, 40)) ?? null,
        metric,
        amount,
        reset_interval: values.reset_interval ?? null,
        time_zone: values.time_zone ?? "UTC",
        starts: values.starts ?? {},
        carry_over: values.carry_over ?? false,
      })}
    </p>
  );
}
