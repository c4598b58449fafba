import type { Control } from "react-hook-form";
import { PickerField } from "@/components/form/picker-field";
import { DATA_REGIONS } from "@/lib/records/models/vocabulary";
import { FIELD_LABELS } from "./field-labels";
import type { GuardrailValues } from "./guardrail-values";
import { SettingsRow } from "@/components/form/settings-row";

const OPTIONS = DATA_REGIONS.map((value) => ({ value }));

export function DataRegionsSection({ control }: { control: Control<GuardrailValues> }) {
  return (
    <SettingsRow id="data-regions" title="Data regions" description="Global endpoints run anywhere.">
      <PickerField
        control={control}
        name="allowed_data_regions"
        label={FIELD_LABELS.allowed_data_regions}
        options={OPTIONS}
        placeholder="All regions"
      />
    </SettingsRow>
  );
}
