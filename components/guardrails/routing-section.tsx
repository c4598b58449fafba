import type { Control } from "react-hook-form";
import { PickerField } from "@/components/form/picker-field";
import { Card } from "@/components/ui/card";
import type { GuardrailValues } from "./guardrail-values";
import { useModelOptions, useProviderOptions } from "./routing-options";

interface RoutingSectionProps {
  control: Control<GuardrailValues>;
  noun: "models" | "providers";
}

const COPY = {
  models: {
    title: "Models",
    description: "Models that requests can use. A slug and its canonical slug refer to the same model.",
    placeholder: "Search or paste a list",
    useOptions: useModelOptions,
  },
  providers: {
    title: "Providers",
    description: "Providers that requests can be routed to.",
    placeholder: "Search or paste a list",
    useOptions: useProviderOptions,
  },
} as const;

export function RoutingSection({ control, noun }: RoutingSectionProps) {
  const { title, description, placeholder, useOptions } = COPY[noun];
  const options = useOptions();
  const shared = { control, options, placeholder };
  return (
    <Card id={noun} title={title} description={description} className="grid gap-4">
      <PickerField {...shared} name={`allowed_${noun}`} label={`Allowed ${noun}`} hint="Leave blank to allow all." />
      <PickerField
        {...shared}
        name={`ignored_${noun}`}
        label={`Blocked ${noun}`}
        hint="Never used, even if allowed above."
      />
    </Card>
  );
}
