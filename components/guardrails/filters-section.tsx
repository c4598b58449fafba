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
      description="Detect sensitive content in requests and responses. Flag logs a match, Redact replaces it with its label, Block rejects the request or withholds the response."
      className="grid gap-6"
    >
      <BuiltinFilters control={form.control} />
      <div className="grid gap-3">
        <div className="grid gap-0.5">
          <h3 className="text-[13px] font-semibold">Custom filters</h3>
          <p className="text-[13px] text-muted">
            Regular expressions for a linear-time engine (no lookaround or backreferences). Redacted text is replaced
            with the label.
          </p>
        </div>
        <CustomFilters form={form} />
      </div>
    </Card>
  );
}
