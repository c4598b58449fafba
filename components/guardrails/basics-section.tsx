import { useWatch, type Control } from "react-hook-form";
import { SelectField } from "@/components/form/select-field";
import { FieldPair, SettingsRow } from "@/components/form/settings-row";
import { TextField } from "@/components/form/text-field";
import { GUARDRAIL_MODES } from "@/lib/engine/policy/vocabulary";
import { FIELD_LABELS, MODE_LABELS } from "./field-labels";
import type { GuardrailValues } from "./guardrail-values";

const MODES = GUARDRAIL_MODES.map((value) => ({ value, label: MODE_LABELS[value] }));

export function BasicsSection({ control }: { control: Control<GuardrailValues> }) {
  const mode = useWatch({ control, name: "mode" });
  return (
    <SettingsRow id="basics" title="Basics">
      <FieldPair>
        <TextField
          control={control}
          name="name"
          label={FIELD_LABELS.name}
          input={{ placeholder: "Production", autoComplete: "off" }}
        />
        <TextField
          control={control}
          name="description"
          label={FIELD_LABELS.description}
          rows={2}
          grows
          isNullable
          input={{ placeholder: "What it is for (optional)" }}
        />
        <SelectField
          control={control}
          name="mode"
          label={FIELD_LABELS.mode}
          hint={mode === "observe" && "Requests pass unchanged. The log says what would have happened."}
          options={MODES}
        />
      </FieldPair>
    </SettingsRow>
  );
}
