"use client";
import { useQuery } from "@tanstack/react-query";
import { FailureAlert } from "@/components/form/failure-alert";
import { TestDialog } from "@/components/policy-tests/test-dialog";
import { guardrailsOf } from "@/components/policy-tests/test-from-generation";
import { Alert } from "@/components/ui/alert";
import { Dialog } from "@/components/ui/dialog";
import { Skeleton } from "@/components/ui/skeleton";
import { toFailure } from "@/lib/browser/api-failure";
import { getEffectivePolicy } from "@/lib/browser/operations/policy-check";
import type { Generation } from "@/lib/records/generations/contract";
import { testOf } from "./answer-test";
import type { Turn } from "./conversation";

interface TestFromAnswerProps {
  generation: Generation;
  turns: readonly Turn[];
  systemPrompt: string;
  onClose: () => void;
}

/** Turns a request of the playground into a policy test with the outcome that it had. */
export function TestFromAnswer({ generation, turns, systemPrompt, onClose }: TestFromAnswerProps) {
  const guardrails = useQuery({
    queryKey: [getEffectivePolicy.id, "test", generation.id],
    queryFn: ({ signal }) => guardrailsOf(generation, signal),
  });
  const start = testOf(generation, systemPrompt, turns);
  if (start && guardrails.data && guardrails.data.length > 0)
    return <TestDialog start={start} guardrails={guardrails.data} onClose={onClose} />;
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="New policy test"
      description="Runs on every edit of the guardrail, without calling a model."
    >
      {guardrails.error ? (
        <FailureAlert failure={toFailure(guardrails.error)} />
      ) : !start ? (
        <Alert kind="info" title="Policy tests don’t cover budgets." />
      ) : guardrails.data ? (
        <Alert kind="info" title="No guardrail applies to this key, so there is none to add a test to." />
      ) : (
        <Skeleton className="h-72" />
      )}
    </Dialog>
  );
}
