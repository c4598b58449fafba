import type { UseFormReturn } from "react-hook-form";
import { Card } from "@/components/ui/card";
import { CHECK_DEFAULTS, MAX_CHECKS } from "@/lib/records/guardrails/vocabulary";
import { CheckRow } from "./check-row";
import type { GuardrailValues } from "./guardrail-values";
import { RowList } from "./row-list";
import { useRows } from "./use-rows";

const NEW_CHECK = { name: "", url: "", ...CHECK_DEFAULTS };

/** The guardrail's external checks. */
export function ChecksSection({ form }: { form: UseFormReturn<GuardrailValues> }) {
  const { fields, append, remove } = useRows(form, "external_checks");
  return (
    <Card
      id="checks"
      title="External checks"
      description="HTTP endpoints that allow, block or redact requests and responses after the content filters. Requests and responses are rejected if an endpoint doesn't answer in time. A streamed response is held back until it has been checked. Use Try it to call the endpoints."
    >
      <RowList
        rows={fields}
        noun="check"
        plural="external checks"
        max={MAX_CHECKS}
        onAdd={() => append(NEW_CHECK)}
        onRemove={remove}
      >
        {({ has_secret }, index, onRemove) => (
          <CheckRow form={form} index={index} hasSecret={has_secret ?? false} onRemove={onRemove} />
        )}
      </RowList>
    </Card>
  );
}
