import type { UseFormReturn } from "react-hook-form";
import { Card } from "@/components/ui/card";
import { JUDGE_DEFAULTS, MAX_CHECKS } from "@/lib/records/guardrails/vocabulary";
import type { GuardrailValues } from "./guardrail-values";
import { JudgeRow } from "./judge-row";
import { RowList } from "./row-list";
import { useRows } from "./use-rows";

const NEW_JUDGE = { name: "", model: "", instructions: "", action: "block", ...JUDGE_DEFAULTS } as const;

/** The guardrail's models as judges. */
export function JudgesSection({ form }: { form: UseFormReturn<GuardrailValues> }) {
  const { fields, append, remove } = useRows(form, "judges");
  return (
    <Card
      id="judges"
      title="Model judges"
      description="Models that score requests and responses against a rule. Each judgment is a request of its own that counts toward budgets. Requests and responses are rejected if a judge gives no score in time. A streamed response is held back until it has been judged."
    >
      <RowList
        rows={fields}
        noun="judge"
        plural="model judges"
        max={MAX_CHECKS}
        onAdd={() => append(NEW_JUDGE)}
        onRemove={remove}
      >
        {(_, index, onRemove) => <JudgeRow form={form} index={index} onRemove={onRemove} />}
      </RowList>
    </Card>
  );
}
