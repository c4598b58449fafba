import type { Control } from "react-hook-form";
import { TextField } from "@/components/form/text-field";
import type { GuardrailValues } from "./guardrail-values";
import { FieldPair, SettingsRow } from "@/components/form/settings-row";

export function BasicsSection({ control }: { control: Control<GuardrailValues> }) {
  return (
    <SettingsRow id="basics" title="Basics">
      <FieldPair>
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
          grows
          isNullable
          input={{ placeholder: "What it is for (optional)" }}
        />
      </FieldPair>
    </SettingsRow>
  );
}
