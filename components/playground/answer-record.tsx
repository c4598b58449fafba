import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DecisionStages } from "@/components/generations/decision-record";
import { blockReason, describeDecisions } from "@/components/generations/decision-text";
import { formatCost, formatDuration } from "@/components/generations/generation-format";
import { GenerationStatus } from "@/components/generations/generation-status";
import { tokenCounts } from "@/components/generations/token-counts";
import { useMay } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { lazyComponent } from "@/components/ui/lazy-component";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import type { Generation } from "@/lib/records/generations/contract";
import type { Turn } from "./conversation";
import { answeredQuery } from "./playground-queries";

const TestFromAnswer = lazyComponent(() => import("./test-from-answer").then((file) => file.TestFromAnswer));

interface AnswerRecordProps {
  id: string;
  /** The conversation up to the answer. */
  turns: readonly Turn[];
  systemPrompt: string;
}

/** The record of an answer: outcome, cost, times, and how policy was applied. */
export function AnswerRecord({ id, turns, systemPrompt }: AnswerRecordProps) {
  const record = useQuery(answeredQuery(id));
  if (record.isPending) return <Skeleton className="h-16" />;
  if (!record.data)
    return (
      <p className="text-[13px] text-muted">
        The record isn’t available yet. <TextLink href={`/generations/${id}`}>Open generation</TextLink>
      </p>
    );
  return <Recorded generation={record.data.data} turns={turns} systemPrompt={systemPrompt} />;
}

function Recorded({ generation, turns, systemPrompt }: { generation: Generation } & Omit<AnswerRecordProps, "id">) {
  const canTest = useMay("guardrails:write");
  const [isTesting, setTesting] = useState(false);
  const { id, status, decisions, model, provider_name, latency, generation_time } = generation;
  const reason = blockReason(generation);
  const tokens = tokenCounts(generation);
  const facts = [
    ["Cost", formatCost(generation)],
    ["Time to first token", latency === null ? null : formatDuration(latency)],
    ["Duration", generation_time === null ? null : formatDuration(generation_time)],
    ["Tokens", tokens],
    ["Model", provider_name === null ? null : `${model} at ${provider_name}`],
  ] as const;
  return (
    <section
      aria-label="Decision record"
      className="grid content-start gap-2 rounded-md border bg-background p-3 text-[13px]"
    >
      <div className="flex flex-wrap items-center gap-2">
        <GenerationStatus status={status} />
        <span className="min-w-0 flex-1 wrap-anywhere">
          {reason ?? describeDecisions(decisions) ?? "No rules applied"}
        </span>
      </div>
      <dl className="flex flex-wrap gap-x-4 gap-y-1">
        {facts.flatMap(([term, value]) =>
          value === null
            ? []
            : [
                <div key={term} className="flex gap-1.5">
                  <dt className="text-muted">{term}</dt>
                  <dd className="tabular-nums wrap-anywhere">{value}</dd>
                </div>,
              ],
        )}
      </dl>
      <details open={decisions.length > 0}>
        <summary className="cursor-pointer text-muted">How policy was applied</summary>
        <DecisionStages generation={generation} />
      </details>
      <div className="flex flex-wrap items-center gap-3">
        <TextLink href={`/generations/${id}`}>Open generation</TextLink>
        {canTest && (
          <Button size="sm" onClick={() => setTesting(true)}>
            Save as policy test…
          </Button>
        )}
      </div>
      {isTesting && (
        <TestFromAnswer
          generation={generation}
          turns={turns}
          systemPrompt={systemPrompt}
          onClose={() => setTesting(false)}
        />
      )}
    </section>
  );
}
