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
      description="Counted for every assigned key and member on its own. A request that comes after the limit is reached is refused."
      className="grid gap-4"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <AmountField control={control} name="limit_usd" label="Limit (USD)" hint="Empty: no limit." />
        <SelectField
          control={control}
          name="reset_interval"
          label="Starts anew"
          none="Never"
          options={INTERVAL_OPTIONS}
          hint="At midnight UTC; weeks start on Monday."
        />
      </div>
      {limit === null && interval !== null && (
        <Alert kind="warning" title="Without a limit, the interval has no effect." />
      )}
      <SwitchField
        control={control}
        name="include_byok_in_budgets"
        label="Include spending on your own provider keys"
        hint="Off: only spending on the platform's keys counts."
      />
    </Card>
  );
}
