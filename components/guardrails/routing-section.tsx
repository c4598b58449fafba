import type { Control } from "react-hook-form";
import { PickerField } from "@/components/form/picker-field";
import type { GuardrailValues } from "./guardrail-values";
import { useModelOptions, useProviderOptions } from "./routing-options";
import { FieldPair, SettingsRow } from "@/components/form/settings-row";

interface RoutingSectionProps {
  control: Control<GuardrailValues>;
  noun: "models" | "providers";
}

const COPY = {
  models: { title: "Models", useOptions: useModelOptions },
  providers: { title: "Providers", useOptions: useProviderOptions },
} as const;

export function RoutingSection({ control, noun }: RoutingSectionProps) {
  const { title, useOptions } = COPY[noun];
  const options = useOptions();
  return (
    <SettingsRow id={noun} title={title} description="Blocking takes precedence.">
      <FieldPair>
        <PickerField
          control={control}
          options={options}
          name={`allowed_${noun}`}
          label={`Allowed ${noun}`}
          placeholder={`All ${noun}`}
        />
        <PickerField
          control={control}
          options={options}
          name={`ignored_${noun}`}
          label={`Blocked ${noun}`}
          placeholder="None"
        />
      </FieldPair>
    </SettingsRow>
  );
}
