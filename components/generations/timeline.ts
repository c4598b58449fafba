import type { Attempt, Generation } from "@/lib/records/generations/contract";

export interface Phase {
  name: string;
  kind: "own" | "failed" | "answered";
  /** Milliseconds since the request arrived. */
  start: number;
  ms: number;
  attempt?: Attempt;
}

/** Consecutive phases of a request, ending with the upstream attempts and the remaining response time. */
export function phasesOf({
  timings,
  attempts,
  latency,
  generation_time,
}: Pick<Generation, "timings" | "attempts" | "latency" | "generation_time">): { phases: Phase[]; total: number } {
  const own = timings
    ? [
        { name: "Queued", ms: timings.queue },
        { name: "Preset and guardrails", ms: timings.policy },
        { name: "Content filters", ms: timings.filters },
        { name: "External checks", ms: timings.checks ?? null },
      ]
    : [];
  const attemptPhases = attempts.map((attempt) => ({
    name: attempt.provider_name,
    ms: attempt.latency_ms,
    attempt,
    kind: attempt.error === null ? ("answered" as const) : ("failed" as const),
  }));
  const rest = latency !== null && generation_time !== null && attempts.length > 0 ? generation_time - latency : 0;
  const parts: Omit<Phase, "start">[] = [
    ...own
      .filter(({ ms }) => ms !== null && ms > 0)
      .map(({ name, ms }) => ({ name, ms: ms ?? 0, kind: "own" as const })),
    ...attemptPhases,
    ...(rest > 0 ? [{ name: "Response streaming", ms: rest, kind: "answered" as const }] : []),
  ];
  let start = 0;
  const phases = parts.map((part) => {
    const phase = { ...part, start };
    start += part.ms;
    return phase;
  });
  return { phases, total: Math.max(start, 1) };
}
