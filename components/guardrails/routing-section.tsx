import { useWatch, type Control } from "react-hook-form";
import { PickerField } from "@/components/form/picker-field";
import type { GuardrailValues } from "./guardrail-values";
import { expansionText, useModelListOptions, useProviderListOptions } from "./routing-options";
import { FieldPair, SettingsRow } from "@/components/form/settings-row";

interface RoutingSectionProps {
  control: Control<GuardrailValues>;
  noun: "models" | "providers";
}

const COPY = {
  models: { title: "Models", useOptions: useModelListOptions },
  providers: { title: "Providers", useOptions: useProviderListOptions },
} as const;

export function RoutingSection({ control, noun }: RoutingSectionProps) {
  const { title, useOptions } = COPY[noun];
  const { options, expand } = useOptions();
  const [allowed, ignored] = useWatch({ control, name: [`allowed_${noun}`, `ignored_${noun}`] });
  return (
    <SettingsRow id={noun} title={title} description="Blocking takes precedence.">
      <FieldPair>
        <PickerField
          control={control}
          options={options}
          name={`allowed_${noun}`}
          label={`Allowed ${noun}`}
          hint={expansionText(allowed, expand)}
          placeholder={`All ${noun}`}
        />
        <PickerField
          control={control}
          options={options}
          name={`ignored_${noun}`}
          label={`Blocked ${noun}`}
          hint={expansionText(ignored, expand)}
          placeholder="None"
        />
      </FieldPair>
    </SettingsRow>
  );
}
