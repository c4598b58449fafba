import { useWatch, type Control } from "react-hook-form";
import { AmountField } from "@/components/form/amount-field";
import { SelectField } from "@/components/form/select-field";
import { SwitchField } from "@/components/form/switch-field";
import { INTERVAL_OPTIONS } from "@/components/form/interval-options";
import { Alert } from "@/components/ui/alert";
import { Card } from "@/components/ui/card";
import type { GuardrailValues } from "./guardrail-values";

export function BudgetSection({ control }: { control: Control<GuardrailValues> }) {
  const [limit, interval] = useWatch({ control, name: ["limit_usd", "reset_interval"] });
  return (
    <Card
      id="budget"
      title="Budget"
      description="Each assigned key and member has its own budget. Requests over the limit are rejected."
      className="grid gap-4"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <AmountField control={control} name="limit_usd" label="Limit (USD)" hint="Leave blank for no limit." />
        <SelectField
          control={control}
          name="reset_interval"
          label="Resets"
          none="Never"
          options={INTERVAL_OPTIONS}
          hint="Resets at midnight UTC. Weeks start on Monday."
        />
      </div>
      {limit === null && interval !== null && (
        <Alert kind="warning" title="The interval has no effect without a limit." />
      )}
      <SwitchField
        control={control}
        name="include_byok_in_budgets"
        label="Include spend on your own provider keys (BYOK)"
        hint="When off, only spend on platform keys counts."
      />
    </Card>
  );
}
