import { CircleCheck, CircleDashed, CircleX, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { PolicyTest, PolicyTestResult } from "@/lib/features/policy-tests/contract";
import { useDeletePolicyTest } from "./policy-test-queries";
import { OUTCOME_OPTIONS } from "./test-values";

interface TestRowProps {
  guardrailId: string;
  test: PolicyTest;
  /** Undefined while running. */
  result: PolicyTestResult | undefined;
  onOpen: () => void;
}

const LOOKS = {
  passed: { icon: CircleCheck, ink: "text-success", word: "Passed" },
  failed: { icon: CircleX, ink: "text-danger", word: "Failed" },
  running: { icon: CircleDashed, ink: "text-muted", word: "Running" },
} as const;

export function TestRow({ guardrailId, test, result, onOpen }: TestRowProps) {
  const [isAsking, setAsking] = useState(false);
  const deletion = useDeletePolicyTest(guardrailId);
  const { icon: Icon, ink, word } = LOOKS[result ? (result.passed ? "passed" : "failed") : "running"];
  const expected = OUTCOME_OPTIONS.find(({ value }) => value === test.expected.outcome)?.label;
  const remove = () =>
    deletion.mutate(test.id, {
      onSuccess: () => {
        setAsking(false);
        toast.success(`Test “${test.name}” deleted`);
      },
      onError: (error) => toast.error(toFailure(error).message),
    });
  return (
    <li className="flex items-start gap-2 py-2 text-[13px]">
      <Icon role="img" aria-label={word} className={`mt-0.5 size-4 shrink-0 ${ink}`} />
      <div className="grid min-w-0 flex-1 gap-0.5">
        <button
          type="button"
          onClick={onOpen}
          className="justify-self-start rounded-sm text-left font-medium wrap-anywhere underline-offset-2 hover:underline"
        >
          {test.name}
        </button>
        <p className="wrap-anywhere text-muted">{result?.why ?? `Expected: ${expected?.toLowerCase()}`}</p>
      </div>
      <Button variant="ghost" size="icon" aria-label={`Delete test ${test.name}`} onClick={() => setAsking(true)}>
        <Trash2 aria-hidden />
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Delete test “${test.name}”?`}
        action="Delete test"
        isPending={deletion.isPending}
        onConfirm={remove}
      >
        It no longer runs when the guardrail is edited.
      </ConfirmDialog>
    </li>
  );
}
