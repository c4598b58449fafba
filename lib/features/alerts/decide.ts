/** Share of the threshold below which a firing alert resolves, so that a value around the threshold doesn't flap. */
const RESOLVES_BELOW = 0.9;

export interface Rule {
  threshold: number;
  minRequests: number;
  quietMs: number;
  /** True to fire at or below the threshold. */
  firesBelow?: boolean;
}

export interface Measurement {
  /** Null when there was nothing to measure. */
  value: number | null;
  /** Number of measured requests or attempts. */
  samples: number;
  /** Minimum value that fires besides the threshold: a multiple of the usual value. */
  floor?: number;
}

/** State of a rule's subject before an evaluation. */
export interface State {
  /** The open firing; null when there is none. */
  firing: { notifiedAt: Date | null } | null;
  /** Last notification of this or an earlier firing. */
  lastNotifiedAt: Date | null;
}

export type Decision = { outcome: "ok" } | { outcome: "fired" | "still_firing" | "resolved"; notifies: boolean };

/**
 * Decides about one measurement. Fires at the threshold. Resolves below 90 % of it, or when there is nothing to
 * measure. With `firesBelow`, resolves above the threshold. Notifications of firing are at least the quiet period
 * apart. A resolution is notified if its firing was.
 */
export function decide(rule: Rule, { value, samples, floor = 0 }: Measurement, state: State, now: Date): Decision {
  const isQuiet = state.lastNotifiedAt !== null && now.getTime() - state.lastNotifiedAt.getTime() < rule.quietMs;
  if (state.firing) {
    const isOver =
      value === null || (rule.firesBelow ? value > rule.threshold : value < rule.threshold * RESOLVES_BELOW);
    return isOver
      ? { outcome: "resolved", notifies: state.firing.notifiedAt !== null }
      : { outcome: "still_firing", notifies: !isQuiet };
  }
  const isReached = (measured: number) =>
    rule.firesBelow ? measured <= rule.threshold : measured >= rule.threshold && measured >= floor;
  const fires = value !== null && samples >= rule.minRequests && isReached(value);
  return fires ? { outcome: "fired", notifies: !isQuiet } : { outcome: "ok" };
}
