import type { Attempt, Generation } from "@/lib/generations/contract";

export interface Phase {
  name: string;
  kind: "own" | "failed" | "answered";
  /** Milliseconds, from the request's arrival. */
  start: number;
  ms: number;
  attempt?: Attempt;
}

/** The phases of a request one after the other, the last ones what the attempts and the rest of the answer took. */
export function phasesOf({
  timings,
  attempts,
  latency,
  generation_time,
}: Pick<Generation, "timings" | "attempts" | "latency" | "generation_time">): { phases: Phase[]; total: number } {
  const own = timings
    ? [
        { name: "Waiting for its turn", ms: timings.queue },
        { name: "Preset and guardrails", ms: timings.policy },
        { name: "Content filters", ms: timings.filters },
      ]
    : [];
  const asked = attempts.map((attempt) => ({
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
    ...asked,
    ...(rest > 0 ? [{ name: "Rest of the answer", ms: rest, kind: "answered" as const }] : []),
  ];
  let start = 0;
  const phases = parts.map((part) => {
    const phase = { ...part, start };
    start += part.ms;
    return phase;
  });
  return { phases, total: Math.max(start, 1) };
}
