import type { Control } from "react-hook-form";
import { PickerField } from "@/components/form/picker-field";
import { Card } from "@/components/ui/card";
import { DATA_REGIONS } from "@/lib/records/models/vocabulary";
import { FIELD_LABELS } from "./field-labels";
import type { GuardrailValues } from "./guardrail-values";

const OPTIONS = DATA_REGIONS.map((value) => ({ value }));

export function DataRegionsSection({ control }: { control: Control<GuardrailValues> }) {
  return (
    <Card id="data-regions" title="Data regions" description="Regions of the endpoints that requests can be routed to.">
      <PickerField
        control={control}
        name="allowed_data_regions"
        label={FIELD_LABELS.allowed_data_regions}
        hint="Leave blank to allow all. Endpoints of the region global can process requests anywhere."
        options={OPTIONS}
        placeholder="Select regions"
      />
    </Card>
  );
}
