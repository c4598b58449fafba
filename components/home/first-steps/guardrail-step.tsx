import { FailureAlert } from "@/components/form/failure-alert";
import { Button } from "@/components/ui/button";
import { TextLink } from "@/components/ui/text-link";
import { toFailure } from "@/lib/browser/api-failure";
import { useAssignFirst, useCreateStarter } from "./first-steps-queries";
import type { FirstKey } from "./key-step";

export interface FirstGuardrail {
  id: string;
  name: string;
}

const linked = ({ id, name }: FirstGuardrail) => (
  <>
    “<TextLink href={`/guardrails/${id}`}>{name}</TextLink>”
  </>
);

export function GuardrailStep({ existing }: { existing: FirstGuardrail | null }) {
  const creation = useCreateStarter();
  if (existing) return <p className="text-sm text-muted">{linked(existing)} is ready. You can change it anytime.</p>;
  return (
    <>
      <p className="text-sm text-muted">A guardrail controls what can be sent. Start with this one, which:</p>
      <ul className="list-disc pl-5 text-sm text-muted">
        <li>redacts email addresses before they reach the model</li>
        <li>blocks requests with payment card numbers</li>
        <li>blocks requests with secret keys like sk-…</li>
      </ul>
      {creation.error && <FailureAlert failure={toFailure(creation.error)} />}
      <div className="flex flex-wrap items-center gap-3">
        <Button variant="primary" disabled={creation.isPending} onClick={() => creation.mutate()}>
          Create guardrail
        </Button>
        <TextLink href="/guardrails/new" className="text-sm">
          Start from scratch
        </TextLink>
      </div>
    </>
  );
}

interface AssignStepProps {
  guardrail: FirstGuardrail | null;
  guardedKey: FirstKey | null;
  isDone: boolean;
}

export function AssignStep({ guardrail, guardedKey, isDone }: AssignStepProps) {
  const assignment = useAssignFirst();
  if (!guardrail || !guardedKey)
    return (
      <p className="text-sm text-muted">
        A guardrail is enforced once assigned to a key, a member or a workspace. Complete the two steps above first.
      </p>
    );
  if (isDone) {
    return (
      <p className="text-sm text-muted">
        {linked(guardrail)} is enforced on every request with “<bdi>{guardedKey.name}</bdi>”.
      </p>
    );
  }
  return (
    <>
      <p className="text-sm text-muted">
        “<bdi>{guardrail.name}</bdi>” will be enforced on every request with “<bdi>{guardedKey.name}</bdi>”.
      </p>
      {assignment.error && <FailureAlert failure={toFailure(assignment.error)} />}
      <Button
        variant="primary"
        disabled={assignment.isPending}
        onClick={() => assignment.mutate({ guardrailId: guardrail.id, keyHash: guardedKey.hash })}
      >
        Assign to key
      </Button>
    </>
  );
}
