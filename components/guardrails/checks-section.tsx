import { useFieldArray, type UseFormReturn } from "react-hook-form";
import { Card } from "@/components/ui/card";
import { CHECK_DEFAULTS, MAX_CHECKS } from "@/lib/records/guardrails/vocabulary";
import { CheckRow } from "./check-row";
import type { GuardrailValues } from "./guardrail-values";
import { RowList } from "./row-list";

const NEW_CHECK = { name: "", url: "", ...CHECK_DEFAULTS };

/** The guardrail's external checks. */
export function ChecksSection({ form }: { form: UseFormReturn<GuardrailValues> }) {
  const { fields, append, remove, insert } = useFieldArray({ control: form.control, name: "external_checks" });
  const removeAt = (index: number) => {
    const check = form.getValues("external_checks")?.[index];
    remove(index);
    return () => check && insert(Math.min(index, form.getValues("external_checks")?.length ?? 0), check);
  };
  return (
    <Card
      id="checks"
      title="External checks"
      description="HTTP endpoints that allow, block or redact requests and responses after the content filters. Without an answer in time they are rejected. A streamed response is held back until it has been checked. Use Try it to call them."
    >
      <RowList
        rows={fields}
        noun="check"
        plural="external checks"
        max={MAX_CHECKS}
        onAdd={() => append(NEW_CHECK)}
        onRemove={removeAt}
      >
        {({ has_secret }, index, onRemove) => (
          <CheckRow form={form} index={index} hasSecret={has_secret ?? false} onRemove={onRemove} />
        )}
      </RowList>
    </Card>
  );
}
