import type { Control } from "react-hook-form";
import { fieldErrors } from "@/components/form/field-errors";
import { useField } from "@/components/form/use-field";
import { Checkbox } from "@/components/ui/checkbox";
import { EXPORT_SIGNALS } from "@/lib/features/exports/vocabulary";
import { SIGNAL_HINTS, SIGNAL_LABELS } from "./export-text";
import type { ExportValues } from "./export-values";

/** Signals that a collector receives. */
export function SignalsField({ control }: { control: Control<ExportValues> }) {
  const { field, fieldState } = useField({ control, name: "otlp.signals" });
  const chosen = field.value ?? [];
  const [error] = fieldErrors(fieldState.error);
  return (
    <fieldset className="grid gap-1.5" aria-describedby={error ? "signals-error" : undefined}>
      <legend className="float-left text-[13px] font-medium">Signals</legend>
      <div className="grid">
        {EXPORT_SIGNALS.map((signal) => (
          <Checkbox
            key={signal}
            checked={chosen.includes(signal)}
            onChange={(isOn) =>
              field.onChange(EXPORT_SIGNALS.filter((one) => (one === signal ? isOn : chosen.includes(one))))
            }
            label={
              <>
                {SIGNAL_LABELS[signal]} <span className="text-muted">({SIGNAL_HINTS[signal]})</span>
              </>
            }
          />
        ))}
      </div>
      {error && (
        <p id="signals-error" className="text-[13px] text-danger">
          {chosen.length === 0 ? "Select at least one signal" : error}
        </p>
      )}
    </fieldset>
  );
}
