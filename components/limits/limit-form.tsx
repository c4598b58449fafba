"use client";
import type { z } from "zod";
import { useEffect, useEffectEvent, useState } from "react";
import { useForm, useFormContext, useFormState, useWatch, type Control } from "react-hook-form";
import { AmountField } from "@/components/form/amount-field";
import { FoldedFields } from "@/components/form/folded-fields";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { NumberField } from "@/components/form/number-field";
import { SelectField } from "@/components/form/select-field";
import { SwitchField } from "@/components/form/switch-field";
import { TextField } from "@/components/form/text-field";
import { useEditForm } from "@/components/form/use-edit-form";
import { useField } from "@/components/form/use-field";
import { Field } from "@/components/form/field";
import type { FilterOption } from "@/components/layout/filter-definition";
import { Alert } from "@/components/ui/alert";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { PRECONDITION_FAILED, toFailure } from "@/lib/browser/api-failure";
import { LIMIT_METRICS, type LimitMetric } from "@/lib/engine/budgets/vocabulary";
import { LIMIT_INTERVALS, RESET_INTERVALS } from "@/lib/engine/vocabulary";
import { CreateLimitBody, type Limit } from "@/lib/records/limits/contract";
import { useCreateLimit, useUpdateLimit } from "./limit-queries";
import { explain, INTERVAL_LABELS, METRIC_LABELS, startText, WEEKDAY_OPTIONS } from "./limit-text";
import { canCarryOver, newValues, valuesOf, type LimitValues } from "./limit-values";
import { SubjectFields } from "./subject-fields";

const checkFields = formResolver(CreateLimitBody);
/** Sends no carry-over for an interval that can't have it; the switch keeps its value. */
const checkBody: typeof checkFields = (values, ...rest) =>
  checkFields({ ...values, carry_over: Boolean(values.carry_over) && canCarryOver(values) }, ...rest);

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

/** Form of a limit, which says in a sentence what it does. Sends only changed fields of a stored one. */
export const LimitForm = ({ limit, onCreated }: LimitFormProps) =>
  limit ? <EditLimit limit={limit} /> : <CreateLimit onCreated={onCreated} />;

function CreateLimit({ onCreated }: { onCreated: LimitFormProps["onCreated"] }) {
  const creation = useCreateLimit();
  const form = useForm<LimitValues, unknown, z.output<typeof CreateLimitBody>>({
    resolver: checkBody,
    defaultValues: newValues(Intl.DateTimeFormat().resolvedOptions().timeZone),
  });
  return (
    <MutationForm
      form={form}
      mutation={creation}
      onSaved={({ data }) => {
        toast.success("Limit created");
        onCreated?.(data.id);
      }}
      action="Create limit"
      isGuarded
      label="Limit"
    >
      <LimitFields control={form.control} limit={null} />
    </MutationForm>
  );
}

function EditLimit({ limit }: { limit: Limit }) {
  const update = useUpdateLimit();
  const edit = useEditForm({
    resolver: checkBody,
    stored: limit,
    valuesOf,
    onSaved: () => toast.success("Limit saved"),
  });
  const isConflict = update.error !== null && toFailure(update.error).status === PRECONDITION_FAILED;
  return (
    <MutationForm
      {...edit}
      mutation={update}
      toVariables={(values) => ({
        base: limit,
        body: { ...edit.toVariables(values), ...(limit.carry_over && !values.carry_over && { carry_over: false }) },
      })}
      action="Save changes"
      isDiscardable
      failureAlert={
        isConflict && (
          <Alert kind="danger" title="This limit changed while you were editing">
            Your changes haven&apos;t been saved. Fields that you haven&apos;t changed show the current values. Save
            again to overwrite the others.
          </Alert>
        )
      }
      label="Limit"
    >
      <LimitFields control={edit.form.control} limit={limit} />
    </MutationForm>
  );
}

function LimitFields({ control, limit }: { control: Control<LimitValues>; limit: Limit | null }) {
  const [found, setFound] = useState<readonly FilterOption[]>([]);
  const stored =
    limit?.subject_ids?.map((value, index) => ({ value, label: limit.subject_names?.[index] ?? value })) ?? [];
  const known = [...found, ...stored];
  return (
    <>
      <TextField
        control={control}
        name="name"
        label="Name"
        input={{ autoComplete: "off", maxLength: 100, autoFocus: !limit }}
      />
      <SubjectFields
        control={control}
        isNew={!limit}
        known={known}
        onFound={(options) => setFound((before) => [...before, ...options])}
      />
      <AmountFields control={control} isNew={!limit} />
      <PeriodFields control={control} isNew={!limit} />
      {limit && (
        <SwitchField control={control} name="enabled" label="Enabled" hint="While it is off, nothing is counted." />
      )}
      <Explanation control={control} known={known} />
    </>
  );
}

function AmountFields({ control, isNew }: { control: Control<LimitValues>; isNew: boolean }) {
  const { field: metric } = useField({ control, name: "metric" });
  const { field: interval } = useField({ control, name: "reset_interval" });
  const counted = metric.value;
  const change = (next: LimitMetric) => {
    metric.onChange(next);
    interval.onChange(DEFAULT_INTERVALS[next]);
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

/** Time zone and start of the period, and whether unspent amounts carry over. */
function PeriodFields({ control, isNew }: { control: Control<LimitValues>; isNew: boolean }) {
  const [metric, interval, time_zone, starts, carry_over, include_byok] = useWatch({
    control,
    name: ["metric", "reset_interval", "time_zone", "starts", "carry_over", "include_byok"],
  });
  const { errors } = useFormState({ control, name: ["time_zone", "starts", "carry_over"] });
  const { field: weekday } = useField({ control, name: "starts.weekday" });
  const { resetField } = useFormContext<LimitValues>();
  const hasDays = interval === "daily" || interval === "weekly" || interval === "monthly";
  const carries = canCarryOver({ metric, reset_interval: interval });
  // A value that no field shows must not be the reason why a limit can't be saved.
  const leaveHidden = useEffectEvent(() => {
    if (!hasDays) {
      resetField("time_zone");
      resetField("starts.hour");
    }
    if (interval !== "monthly") resetField("starts.month_day");
  });
  useEffect(() => {
    leaveHidden();
  }, [metric, interval]);
  const start = startText({ reset_interval: interval ?? null, time_zone: time_zone ?? "UTC", starts: starts ?? {} });
  const isSpend = metric === "spend";
  if (start === null && !isSpend) return null;
  return (
    <FoldedFields
      title="Period and counting"
      summary={
        [start, carries && carry_over && "Carries over.", include_byok && "Includes BYOK."].filter(Boolean).join(" ") ||
        "default"
      }
      hasError={Boolean(errors.time_zone ?? errors.starts ?? errors.carry_over)}
    >
      {start !== null && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            control={control}
            name="time_zone"
            label="Time zone"
            hint={isNew ? undefined : "Another period starts counting from zero."}
            suggestions={ZONES}
          />
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
      {carries && (
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
function Explanation({ control, known }: { control: Control<LimitValues>; known: readonly FilterOption[] }) {
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
        carry_over: Boolean(values.carry_over) && canCarryOver({ metric, reset_interval: values.reset_interval }),
      })}
    </p>
  );
}
