import type { Control } from "react-hook-form";
import { TextField } from "@/components/form/text-field";
import { Card } from "@/components/ui/card";
import type { GuardrailValues } from "./guardrail-values";

export function BasicsSection({ control }: { control: Control<GuardrailValues> }) {
  return (
    <Card id="basics" title="Basics" className="grid gap-4">
      <TextField
        control={control}
        name="name"
        label="Name"
        input={{ placeholder: "Production", autoComplete: "off" }}
      />
      <TextField
        control={control}
        name="description"
        label="Description"
        rows={2}
        isNullable
        hint="Optional. What this guardrail is for."
      />
    </Card>
  );
}
