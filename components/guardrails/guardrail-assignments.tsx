import { AssignmentsSection } from "@/components/assignments/assignments-section";
import { GuardrailWarnings } from "@/components/budgets/guardrail-warnings";
import { useUser } from "@/components/session/user-context";
import { Card } from "@/components/ui/card";
import type { Guardrail } from "@/lib/guardrails/contract";

/** What belongs to a guardrail and is stored apart from it. */
export function GuardrailAssignments({ guardrail }: { guardrail: Guardrail }) {
  const { isAdmin } = useUser();
  return (
    <>
      <Card id="assignments" title="Assignments" description="Whom it applies to. A change here is stored at once.">
        <AssignmentsSection guardrail={guardrail} />
      </Card>
      {guardrail.limit_usd !== null && isAdmin && <GuardrailWarnings guardrailId={guardrail.id} />}
    </>
  );
}
