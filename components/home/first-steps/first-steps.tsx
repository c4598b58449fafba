"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { Button } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import { Skeleton } from "@/components/ui/skeleton";
import { newestAssignmentQuery, newestGuardrailQuery, newestKeyQuery, providersQuery } from "./first-steps-queries";
import { AssignStep, GuardrailStep, type FirstGuardrail } from "./guardrail-step";
import { KeyStep, type FirstKey } from "./key-step";
import { ProviderStep, type FirstProvider } from "./provider-step";
import { RequestStep } from "./request-step";
import { Step } from "./step";

interface FirstStepsProps {
  hasGenerations: boolean;
  onDismiss: () => void;
}

/** Onboarding checklist up to a first guarded request. Progress is derived from the API, so it survives a reload. */
export function FirstSteps({ hasGenerations, onDismiss }: FirstStepsProps) {
  const keys = useQuery(newestKeyQuery);
  const guardrails = useQuery(newestGuardrailQuery).data;
  const assignments = useQuery(newestAssignmentQuery).data;
  const providers = useQuery(providersQuery).data;
  return (
    <DataState query={keys} subject="first steps" skeleton={<Skeleton className="h-120" />}>
      {({ data: [newest] }) => {
        const assignment = assignments?.data[0];
        const key = assignment ? { hash: assignment.key_hash, name: assignment.key_name } : (newest ?? null);
        return (
          <Steps
            firstKey={key}
            guardrail={guardrails?.data[0] ?? null}
            isAssigned={assignment !== undefined}
            provider={providers?.data.find(({ base_url }) => base_url !== null) ?? null}
            hasGenerations={hasGenerations}
            onDismiss={onDismiss}
          />
        );
      }}
    </DataState>
  );
}

interface StepsProps extends FirstStepsProps {
  firstKey: FirstKey | null;
  guardrail: FirstGuardrail | null;
  isAssigned: boolean;
  provider: FirstProvider | null;
}

function Steps({ firstKey, guardrail, isAssigned, provider, hasGenerations, onDismiss }: StepsProps) {
  const [text, setText] = useState<string | null>(null);
  const done = [firstKey !== null, guardrail !== null, isAssigned, hasGenerations, provider !== null];
  const count = done.filter(Boolean).length;
  return (
    <section aria-label="First steps" className="rounded-lg border bg-surface">
      <div className="flex flex-wrap items-center justify-between gap-3 border-b p-4">
        <div className="grid min-w-0 flex-1 basis-56 gap-2 text-[13px] text-muted">
          <span aria-hidden>
            {count} of {done.length} steps completed
          </span>
          <Progress label={`${count} of ${done.length} steps completed`} value={count} max={done.length} />
        </div>
        <Button size="sm" variant="ghost" onClick={onDismiss}>
          {count === done.length ? "Close checklist" : "Skip checklist"}
        </Button>
      </div>
      <ol>
        <Step number={1} title="Create an inference key" isDone={firstKey !== null}>
          <KeyStep existing={firstKey} text={text} onText={setText} />
        </Step>
        <Step number={2} title="Create a guardrail" isDone={guardrail !== null}>
          <GuardrailStep existing={guardrail} />
        </Step>
        <Step number={3} title="Assign the guardrail to the key" isDone={isAssigned}>
          <AssignStep guardrail={guardrail} guardedKey={firstKey} isDone={isAssigned} />
        </Step>
        <Step number={4} title="Send a first request" isDone={hasGenerations}>
          <RequestStep keyText={text} isGuarded={isAssigned} />
        </Step>
        <Step number={5} title="Add a provider" isDone={provider !== null}>
          <ProviderStep existing={provider} />
        </Step>
      </ol>
    </section>
  );
}
