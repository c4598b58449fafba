import type { Control } from "react-hook-form";
import { NumberField } from "@/components/form/number-field";
import { NEED_SAMPLES, WITHOUT_WINDOW, type AlertKind } from "@/lib/features/alerts/vocabulary";
import type { AlertValues } from "./alert-values";

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

/** Fields for what a rule measures, and when it fires. */
export const ConditionFields = ({ control, kind }: { control: Control<AlertValues>; kind: AlertKind }) => (
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
