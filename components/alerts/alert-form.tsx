"use client";
import { useForm, useFormState, useWatch, type Control } from "react-hook-form";
import { useQuery } from "@tanstack/react-query";
import { Field } from "@/components/form/field";
import { FoldedFields } from "@/components/form/folded-fields";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { SwitchField } from "@/components/form/switch-field";
import { TextField } from "@/components/form/text-field";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { CreateAlertBody, type Alert } from "@/lib/features/alerts/contract";
import {
  ALERT_KINDS,
  THRESHOLDS,
  type AlertKind,
  FILTERS_OF,
  type AlertFilter,
  NEED_SAMPLES,
  WITHOUT_WINDOW,
} from "@/lib/features/alerts/vocabulary";
import { RecordField } from "@/components/layout/record-field";
import { SelectField } from "@/components/form/select-field";
import { RECORD_SOURCES } from "@/components/layout/record-sources";
import { workspacesQuery } from "@/components/workspaces/workspace-queries";
import { NumberField } from "@/components/form/number-field";
import { ChannelFields } from "./channel-fields";
import { newValues, valuesOf, type AlertValues } from "./alert-values";
import { useCreateAlert, useUpdateAlert } from "./alert-queries";

const checkBody = formResolver(CreateAlertBody);

const KIND_OPTIONS = ALERT_KINDS.map((value) => ({ value, label: THRESHOLDS[value].title }));

interface AlertFormProps {
  /** Null for a new rule. */
  alert: Alert | null;
  onCreated?: (id: string) => void;
}

export function AlertForm({ alert, onCreated }: AlertFormProps) {
  const creation = useCreateAlert();
  const update = useUpdateAlert(alert?.id ?? "");
  const form = useForm<AlertValues, unknown, CreateAlertBody>({
    resolver: checkBody,
    defaultValues: alert ? valuesOf(alert) : newValues("error_rate"),
  });
  const { control } = form;
  const kind = useWatch({ control, name: "kind" });
  const changeKind = (next: AlertKind) => {
    const { threshold, window_minutes, quiet_minutes, ...scope } = newValues(next);
    for (const name of ["key_hash", "user_id", "guardrail_id", "provider"] as const) form.setValue(name, scope[name]);
    form.setValue("kind", next, { shouldDirty: true });
    form.setValue("threshold", threshold);
    form.setValue("window_minutes", window_minutes);
    form.setValue("quiet_minutes", quiet_minutes);
    form.clearErrors();
  };
  const fields = (
    <>
      <TextField
        control={control}
        name="name"
        label="Name"
        input={{ autoComplete: "off", maxLength: 100, autoFocus: !alert }}
      />
      {!alert && (
        <Field label="Condition" errors={[]}>
          {(wiring) => <Select {...wiring} value={kind} onValueChange={changeKind} options={KIND_OPTIONS} />}
        </Field>
      )}
      <ConditionFields key={kind} control={control} kind={kind} />
      <ScopeFields control={control} kind={kind} />
      <ChannelFields control={control} hasSlack={alert?.slack_url ?? null} />
      {alert && (
        <SwitchField
          control={control}
          name="enabled"
          label="Enabled"
          hint="Turning it off resolves open firings without notifications."
        />
      )}
    </>
  );
  const saved = ({ data }: { data: Alert }) => {
    form.reset(valuesOf(data));
    toast.success(alert ? "Alert saved" : "Alert created");
    if (!alert) onCreated?.(data.id);
  };
  return alert ? (
    <MutationForm
      form={form}
      mutation={update}
      toVariables={({ kind: _, ...changes }) => changes}
      onSaved={saved}
      action="Save changes"
      isEdit
      isGuarded
      label="Alert"
    >
      {fields}
    </MutationForm>
  ) : (
    <MutationForm form={form} mutation={creation} onSaved={saved} action="Create alert" isGuarded label="Alert">
      {fields}
    </MutationForm>
  );
}

const FIELDS = [
  { name: "key_hash", label: "Key", none: "All keys" },
  { name: "user_id", label: "Member", none: "All members" },
  { name: "guardrail_id", label: "Guardrail", none: "All guardrails" },
  { name: "provider", label: "Provider", none: "All providers" },
] as const;

/** Fields for the scope of a rule: workspace, key, member, guardrail or provider. */
function ScopeFields({ control, kind }: { control: Control<AlertValues>; kind: AlertKind }) {
  const workspace = useWatch({ control, name: "workspace_id" }) ?? null;
  const workspaces = useQuery(workspacesQuery).data?.data ?? [];
  const filters: readonly AlertFilter[] = FILTERS_OF[kind];
  const fields = FIELDS.filter(({ name }) => filters.includes(name));
  const names = ["workspace_id", ...fields.map(({ name }) => name)] as const;
  const chosen = useWatch({ control, name: names });
  const { errors } = useFormState({ control, name: names });
  const isNarrowed = chosen.some((value) => value !== null && value !== undefined);
  return (
    <FoldedFields
      title="Scope"
      summary={isNarrowed ? "narrowed" : "all traffic"}
      isOpenAtFirst={isNarrowed}
      hasError={names.some((name) => errors[name])}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {workspaces.length > 1 && (
          <SelectField
            control={control}
            name="workspace_id"
            label="Workspace"
            none="All workspaces"
            options={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        {fields.map((field) => (
          <RecordField
            key={field.name}
            control={control}
            source={RECORD_SOURCES[field.name]}
            workspace={field.name === "guardrail_id" ? workspace : null}
            {...field}
          />
        ))}
      </div>
    </FoldedFields>
  );
}

const THRESHOLD_LABELS: Readonly<Record<AlertKind, { label: string; hint: string }>> = {
  budget: { label: "Threshold (% of the limit)", hint: "Fires separately for each key and member with a limit." },
  error_rate: { label: "Threshold (% of requests)", hint: "Blocked and cancelled requests don't count." },
  block_spike: {
    label: "Threshold (blocked requests)",
    hint: "And at least three times the average of the preceding 24 hours.",
  },
  latency_p95: { label: "Threshold (ms)", hint: "95th percentile of the duration." },
  time_to_first_token_p95: { label: "Threshold (ms)", hint: "95th percentile of the time to first token." },
  provider_down: {
    label: "Threshold (% of attempts)",
    hint: "Fires separately for each provider, even if fallbacks succeed.",
  },
  deprecated_model: {
    label: "Threshold (days until retirement)",
    hint: "Fires separately for each model that was used in the last 7 days, also after its retirement.",
  },
};

/** Fields for a rule's measure and threshold. */
const ConditionFields = ({ control, kind }: { control: Control<AlertValues>; kind: AlertKind }) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <NumberField
      control={control}
      name="threshold"
      label={THRESHOLD_LABELS[kind].label}
      hint={THRESHOLD_LABELS[kind].hint}
    />
    {!WITHOUT_WINDOW.includes(kind) && (
      <NumberField control={control} name="window_minutes" label="Window (minutes)" hint="Period that is measured." />
    )}
    {NEED_SAMPLES.includes(kind) && (
      <NumberField
        control={control}
        name="min_requests"
        label={kind === "provider_down" ? "Minimum attempts" : "Minimum requests"}
        hint="With fewer, the alert doesn't fire."
      />
    )}
    <NumberField
      control={control}
      name="quiet_minutes"
      label="Quiet period (minutes)"
      hint="Shortest time between notifications."
    />
  </div>
);
