import { AssignmentsSection } from "@/components/assignments/assignments-section";
import { GuardrailWarnings } from "@/components/budgets/guardrail-warnings";
import { useMay } from "@/components/session/user-context";
import { Card } from "@/components/ui/card";
import type { Guardrail } from "@/lib/records/guardrails/contract";

/** Assignments, budgets and exceptions: stored separately from the guardrail itself. */
export function GuardrailAssignments({ guardrail }: { guardrail: Guardrail }) {
  const canSeeBudgets = useMay("budgets:read");
  return (
    <>
      <Card
        id="assignments"
        title="Assignments"
        description="Keys and members this guardrail applies to. Changes take effect immediately."
      >
        <AssignmentsSection guardrail={guardrail} />
      </Card>
      {guardrail.limit_usd !== null && canSeeBudgets && <GuardrailWarnings guardrailId={guardrail.id} />}
    </>
  );
}
