"use client";
import { useForm, useWatch } from "react-hook-form";
import { Field } from "@/components/form/field";
import { FailureAlert } from "@/components/form/failure-alert";
import { formResolver } from "@/components/form/form-resolver";
import { NumberField } from "@/components/form/number-field";
import { showFailure } from "@/components/form/show-failure";
import { SwitchField } from "@/components/form/switch-field";
import { TextField } from "@/components/form/text-field";
import { UnsavedGuard } from "@/components/form/unsaved-guard";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import { CreateAlertBody, type Alert } from "@/lib/features/alerts/contract";
import { ALERT_KINDS, NEED_SAMPLES, THRESHOLDS, type AlertKind } from "@/lib/features/alerts/vocabulary";
import { ChannelFields } from "./channel-fields";
import { newValues, valuesOf, type AlertValues } from "./alert-values";
import { useCreateAlert, useUpdateAlert } from "./alert-queries";
import { ScopeFields } from "./scope-fields";

const checkBody = formResolver(CreateAlertBody);

const KIND_OPTIONS = ALERT_KINDS.map((value) => ({ value, label: THRESHOLDS[value].title }));

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
};

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
    const { threshold, window_minutes, ...scope } = newValues(next);
    for (const name of ["key_hash", "user_id", "guardrail_id", "provider"] as const) form.setValue(name, scope[name]);
    form.setValue("kind", next, { shouldDirty: true });
    form.setValue("threshold", threshold);
    form.setValue("window_minutes", window_minutes);
    form.clearErrors();
  };
  const error = creation.error ?? update.error;
  return (
    <form noValidate aria-label="Alert" onSubmit={(event) => void submit(event)} className="grid gap-4">
      <TextField control={control} name="name" label="Name" input={{ autoComplete: "off", maxLength: 100 }} />
      {!alert && (
        <Field label="Condition" errors={[]}>
          {(wiring) => <Select {...wiring} value={kind} onValueChange={changeKind} options={KIND_OPTIONS} />}
        </Field>
      )}
      <div key={kind} className="grid gap-4 sm:grid-cols-2">
        <NumberField
          control={control}
          name="threshold"
          label={THRESHOLD_LABELS[kind].label}
          hint={THRESHOLD_LABELS[kind].hint}
        />
        {kind !== "budget" && (
          <NumberField
            control={control}
            name="window_minutes"
            label="Window (minutes)"
            hint="Period that is measured."
          />
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
      <UnsavedGuard isDirty={formState.isDirty && !formState.isSubmitSuccessful} />
    </form>
  );
}
