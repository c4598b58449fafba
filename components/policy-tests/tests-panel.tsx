"use client";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX, CircleDashed, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { modelListQuery } from "@/components/policy/test-panel-queries";
import { May } from "@/components/session/may";
import { useMay } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { lazyComponent } from "@/components/ui/lazy-component";
import { Skeleton } from "@/components/ui/skeleton";
import { Switch } from "@/components/ui/switch";
import { toast } from "@/components/ui/toast";
import { useDebounced } from "@/components/ui/use-debounced";
import { toFailure } from "@/lib/browser/api-failure";
import type { PolicyTest, PolicyTestResult } from "@/lib/features/policy-tests/contract";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import {
  policyTestsQuery,
  testRunQuery,
  useRequireTests,
  type TestedChanges,
  useDeletePolicyTest,
} from "./policy-test-queries";
import { OUTCOME_OPTIONS } from "./test-values";

const TestDialog = lazyComponent(() => import("./test-dialog").then((file) => file.TestDialog));

interface TestsPanelProps {
  guardrail: { id: string; name: string };
  /** Unsaved changes of the draft. */
  changes: TestedChanges;
}

/** Tests of the guardrail, run on every edit. */
export function TestsPanel({ guardrail, changes }: TestsPanelProps) {
  const tests = useQuery(policyTestsQuery(guardrail.id));
  const [opened, setOpened] = useState<PolicyTest | "new" | null>(null);
  const models = useQuery(modelListQuery).data?.data ?? [];
  const fresh = {
    name: "",
    protocol: "responses" as const,
    request: { model: models[0]?.slug ?? "", input: "" },
    answer: null,
    expected: { outcome: "blocked" as const, field: null, rule: null },
  };
  return (
    <Card
      id="tests"
      title="Tests"
      description="Prompts with their expected outcomes."
      action={
        <May permission="guardrails:write">
          <Button size="sm" onClick={() => setOpened("new")}>
            Add test…
          </Button>
        </May>
      }
      className="grid gap-3"
    >
      <DataState query={tests} subject="tests" skeleton={<Skeleton className="h-16" />}>
        {({ data, tests_required }) => (
          <>
            {data.length === 0 ? (
              <p className="text-muted">
                No tests yet. Tests show immediately when an edit changes the outcome of a prompt.
              </p>
            ) : (
              <Results guardrailId={guardrail.id} tests={data} changes={changes} onOpen={setOpened} />
            )}
            <Required guardrailId={guardrail.id} isRequired={tests_required} />
          </>
        )}
      </DataState>
      {opened && (
        <TestDialog
          key={opened === "new" ? "new" : opened.id}
          start={opened === "new" ? fresh : opened}
          testId={opened === "new" ? null : opened.id}
          guardrails={[guardrail]}
          onClose={() => setOpened(null)}
        />
      )}
    </Card>
  );
}

function Results({
  guardrailId,
  tests,
  changes,
  onOpen,
}: {
  guardrailId: string;
  tests: readonly PolicyTest[];
  changes: TestedChanges;
  onOpen: (test: PolicyTest) => void;
}) {
  const run = useQuery(testRunQuery(guardrailId, useDebounced(changes)));
  const results = new Map(run.data?.data.results.map((result) => [result.test_id, result]));
  return (
    <>
      <p
        role="status"
        aria-label="Test results"
        aria-busy={run.isFetching}
        className="flex items-center gap-2 text-[13px] font-medium"
      >
        {run.isError ? (
          <span className="text-muted">
            {toFailure(run.error).status === 400
              ? "Fix the invalid fields to run the tests."
              : "Couldn't run the tests. They run again on your next change."}
          </span>
        ) : run.data ? (
          <Summary failed={run.data.data.failed} all={run.data.data.results.length} />
        ) : (
          <span className="text-muted">Running…</span>
        )}
      </p>
      <ul className="grid max-h-96 divide-y overflow-y-auto">
        {tests.map((test) => (
          <TestRow
            key={test.id}
            guardrailId={guardrailId}
            test={test}
            result={run.isError ? undefined : results.get(test.id)}
            onOpen={() => onOpen(test)}
          />
        ))}
      </ul>
    </>
  );
}

function Summary({ failed, all }: { failed: number; all: number }) {
  const Icon = failed > 0 ? CircleX : CircleCheck;
  return (
    <>
      <Icon aria-hidden className={`size-4 ${failed > 0 ? "text-danger" : "text-success"}`} />
      {failed > 0 ? `${failed} of ${all} failed` : all === 1 ? "Test passed" : `All ${all} passed`}
    </>
  );
}

function Required({ guardrailId, isRequired }: { guardrailId: string; isRequired: boolean }) {
  const canChange = useMay("guardrails:write");
  const id = useId();
  const change = useRequireTests(guardrailId);
  return (
    <div className="flex items-start justify-between gap-4 border-t pt-3">
      <div className="grid gap-0.5">
        <label htmlFor={id} className="text-[13px] font-medium">
          Required to save
        </label>
        <p id={`${id}-hint`} className="text-[13px] text-muted">
          Rejects changes that fail a test, including changes through the API.
        </p>
      </div>
      <Switch
        id={id}
        aria-describedby={`${id}-hint`}
        checked={change.isPending ? change.variables : isRequired}
        disabled={!canChange}
        onChange={(isOn) => change.mutate(isOn, { onError: (error) => toast.error(toFailure(error).message) })}
      />
    </div>
  );
}

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

function TestRow({ guardrailId, test, result, onOpen }: TestRowProps) {
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
      <May permission="guardrails:write">
        <Button variant="ghost" size="icon" aria-label={`Delete test ${test.name}`} onClick={() => setAsking(true)}>
          <Trash2 aria-hidden />
        </Button>
      </May>
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
