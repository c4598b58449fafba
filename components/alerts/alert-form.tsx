"use client";
import { useForm, useWatch } from "react-hook-form";
import { Field } from "@/components/form/field";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { SwitchField } from "@/components/form/switch-field";
import { TextField } from "@/components/form/text-field";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { CreateAlertBody, type Alert } from "@/lib/features/alerts/contract";
import { ALERT_KINDS, THRESHOLDS, type AlertKind } from "@/lib/features/alerts/vocabulary";
import { ChannelFields } from "./channel-fields";
import { newValues, valuesOf, type AlertValues } from "./alert-values";
import { useCreateAlert, useUpdateAlert } from "./alert-queries";
import { ConditionFields } from "./condition-fields";
import { ScopeFields } from "./scope-fields";

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
