import type { UseFormReturn } from "react-hook-form";
import { Card } from "@/components/ui/card";
import { BuiltinFilters } from "./builtin-filters";
import { CustomFilters } from "./custom-filters";
import type { GuardrailValues } from "./guardrail-values";

export function FiltersSection({ form }: { form: UseFormReturn<GuardrailValues> }) {
  return (
    <Card
      id="filters"
      title="Content filters"
      description="What is looked for in requests. Flag records it, redact replaces it by its label, block refuses the request."
      className="grid gap-6"
    >
      <BuiltinFilters control={form.control} />
      <div className="grid gap-3">
        <div className="grid gap-0.5">
          <h3 className="text-[13px] font-semibold">Custom filters</h3>
          <p className="text-[13px] text-muted">
            Regular expressions of a linear-time engine: no look-around, no back-references. The label replaces what is
            redacted.
          </p>
        </div>
        <CustomFilters form={form} />
      </div>
    </Card>
  );
}
