import { useWatch, type Control } from "react-hook-form";
import { AmountField } from "@/components/form/amount-field";
import { SelectField } from "@/components/form/select-field";
import { SwitchField } from "@/components/form/switch-field";
import { INTERVAL_OPTIONS } from "@/components/form/interval-options";
import { Alert } from "@/components/ui/alert";
import type { GuardrailValues } from "./guardrail-values";
import { FieldPair, SettingsRow } from "@/components/form/settings-row";

export function BudgetSection({ control }: { control: Control<GuardrailValues> }) {
  const [limit, interval] = useWatch({ control, name: ["limit_usd", "reset_interval"] });
  return (
    <SettingsRow id="budget" title="Budget" description="Each assigned key and member has its own.">
      <FieldPair>
        <AmountField control={control} name="limit_usd" label="Limit (USD)" placeholder="No limit" />
        <SelectField control={control} name="reset_interval" label="Resets" none="Never" options={INTERVAL_OPTIONS} />
      </FieldPair>
      {interval !== null && limit !== null && (
        <p className="text-[13px] text-muted">Resets at midnight UTC. Weeks start on Monday.</p>
      )}
      {limit === null && interval !== null && (
        <Alert kind="warning" title="The interval has no effect without a limit." />
      )}
      <SwitchField
        control={control}
        name="include_byok_in_budgets"
        label="Include spend on your own provider keys (BYOK)"
      />
    </SettingsRow>
  );
}
