import type { Control } from "react-hook-form";
import { ChipsField } from "@/components/form/chips-field";
import { Card } from "@/components/ui/card";
import type { GuardrailValues } from "./guardrail-values";

interface RoutingSectionProps {
  control: Control<GuardrailValues>;
  noun: "models" | "providers";
}

const COPY = {
  models: {
    title: "Models",
    description: "Which models requests may reach. Slugs and canonical slugs mean the same model.",
    placeholder: "openai/gpt-4o-mini, anthropic/claude-sonnet-4",
  },
  providers: {
    title: "Providers",
    description: "Which providers may serve a request.",
    placeholder: "openai, azure",
  },
} as const;

export function RoutingSection({ control, noun }: RoutingSectionProps) {
  const { title, description, placeholder } = COPY[noun];
  return (
    <Card id={noun} title={title} description={description} className="grid gap-4">
      <ChipsField
        control={control}
        name={`allowed_${noun}`}
        label={`Allowed ${noun}`}
        placeholder={placeholder}
        hint="Only these are used; leave it empty to allow all. Press Enter after each, or paste a list."
      />
      <ChipsField control={control} name={`ignored_${noun}`} label={`Ignored ${noun}`} hint="Never used, even when allowed above." />
    </Card>
  );
}
