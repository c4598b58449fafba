import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import type { Attempt, Generation } from "@/lib/records/generations/contract";
import { formatDuration } from "./generation-format";
import { phasesOf, type Phase } from "./timeline";

const TONES = { own: "bg-muted/50", failed: "bg-danger-fill", answered: "bg-accent" } as const;

/** Time per phase, and the attempted upstreams. */
export function TimelineCard({ generation }: { generation: Generation }) {
  const { phases, total } = phasesOf(generation);
  if (phases.length === 0) return null;
  return (
    <Card id="attempts" title="Timeline" description="Time per phase and upstream attempts." className="grid gap-3">
      <ol className="grid gap-2">
        {phases.map((phase, index) => (
          <li key={index} className="grid gap-1">
            <div className="flex flex-wrap items-baseline gap-x-2 text-[13px]">
              <PhaseName phase={phase} />
              <span className="ml-auto text-muted tabular-nums">{formatDuration(phase.ms)}</span>
            </div>
            <div aria-hidden className="h-1.5 rounded-full bg-subtle">
              <div
                className={`h-full min-w-0.5 rounded-full ${TONES[phase.kind]}`}
                style={{ marginInlineStart: `${(100 * phase.start) / total}%`, width: `${(100 * phase.ms) / total}%` }}
              />
            </div>
            {phase.attempt?.error && <p className="text-[13px] wrap-anywhere text-danger">{phase.attempt.error}</p>}
          </li>
        ))}
      </ol>
    </Card>
  );
}

const PhaseName = ({ phase: { name, attempt } }: { phase: Phase }) =>
  attempt ? <AttemptName attempt={attempt} /> : <span>{name}</span>;

function AttemptName({ attempt }: { attempt: Attempt }) {
  return (
    <>
      <span className="font-medium">{attempt.provider_name}</span>
      <code className="font-mono wrap-anywhere text-muted">{attempt.model}</code>
      <Badge tone={attempt.error === null ? "success" : "danger"}>{attempt.status ?? "No response"}</Badge>
    </>
  );
}
