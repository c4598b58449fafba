"use client";
import { useForm, useWatch } from "react-hook-form";
import { Field } from "@/components/form/field";
import { FailureAlert } from "@/components/form/failure-alert";
import { formResolver } from "@/components/form/form-resolver";
import { showFailure } from "@/components/form/show-failure";
import { SwitchField } from "@/components/form/switch-field";
import { TextField } from "@/components/form/text-field";
import { UnsavedGuard } from "@/components/form/unsaved-guard";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
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
  const { control, formState } = form;
  const kind = useWatch({ control, name: "kind" });
  const onError = (reason: Error) => showFailure(form, toFailure(reason));
  const submit = form.handleSubmit((body) => {
    if (!alert) {
      creation.mutate(body, {
        onError,
        onSuccess: ({ data }) => {
          form.reset(valuesOf(data));
          toast.success("Alert created");
          onCreated?.(data.id);
        },
      });
      return;
    }
    const { kind: _, ...changes } = body;
    update.mutate(changes, {
      onError,
      onSuccess: ({ data }) => {
        form.reset(valuesOf(data));
        toast.success("Alert saved");
      },
    });
  });
  const changeKind = (next: AlertKind) => {
    const { threshold, window_minutes, quiet_minutes, ...scope } = newValues(next);
    for (const name of ["key_hash", "user_id", "guardrail_id", "provider"] as const) form.setValue(name, scope[name]);
    form.setValue("kind", next, { shouldDirty: true });
    form.setValue("threshold", threshold);
    form.setValue("window_minutes", window_minutes);
    form.setValue("quiet_minutes", quiet_minutes);
    form.clearErrors();
  };
  const error = creation.error ?? update.error;
  return (
    <form noValidate aria-label="Alert" onSubmit={(event) => void submit(event)} className="grid gap-4">
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
      {error && <FailureAlert failure={toFailure(error)} control={form.control} />}
      <div className="flex gap-2">
        <Button
          type="submit"
          variant="primary"
          disabled={creation.isPending || update.isPending || (alert !== null && !formState.isDirty)}
        >
          {alert ? "Save changes" : "Create alert"}
        </Button>
      </div>
      <UnsavedGuard isDirty={formState.isDirty} />
    </form>
  );
}
