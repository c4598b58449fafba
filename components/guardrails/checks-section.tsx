import { Plus } from "lucide-react";
import { useRef } from "react";
import { useFieldArray, type UseFormReturn } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
import { CHECK_DEFAULTS, MAX_CHECKS } from "@/lib/records/guardrails/vocabulary";
import { CheckRow } from "./check-row";
import type { GuardrailValues } from "./guardrail-values";

const NEW_CHECK = { name: "", url: "", ...CHECK_DEFAULTS };

/** The guardrail's external checks. */
export function ChecksSection({ form }: { form: UseFormReturn<GuardrailValues> }) {
  const { fields, append, remove, insert } = useFieldArray({ control: form.control, name: "external_checks" });
  const addButton = useRef<HTMLButtonElement>(null);

  const removeAt = (index: number) => {
    const check = form.getValues("external_checks")?.[index];
    remove(index);
    addButton.current?.focus();
    if (check) {
      const restore = () => insert(Math.min(index, form.getValues("external_checks")?.length ?? 0), check);
      toast.success(`Check ${index + 1} removed`, { action: { label: "Undo", onClick: restore } });
    }
  };
  return (
    <Card
      id="checks"
      title="External checks"
      description="HTTP endpoints that allow, block or redact each request after the content filters. Without an answer in time the request is rejected. Use Try it to call them."
      className="grid gap-3"
    >
      {fields.length > 0 && (
        <ol className="grid gap-3">
          {fields.map(({ id, has_secret }, index) => (
            <li key={id} className="rounded-md border bg-background p-3">
              <CheckRow form={form} index={index} hasSecret={has_secret ?? false} onRemove={() => removeAt(index)} />
            </li>
          ))}
        </ol>
      )}
      <Button
        ref={addButton}
        className="justify-self-start"
        disabled={fields.length >= MAX_CHECKS}
        onClick={() => append(NEW_CHECK)}
      >
        <Plus aria-hidden /> Add check
      </Button>
      {fields.length >= MAX_CHECKS && (
        <p className="text-[13px] text-muted">Limit reached: a guardrail can have {MAX_CHECKS} external checks.</p>
      )}
    </Card>
  );
}
