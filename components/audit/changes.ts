import { actionLabel } from "./audit-sentence";

/** Events that change nothing: sign-ins, refusals, reads, tests, exports and exchanged tokens. */
const OTHER =
  /^(?:access|session|invitation)\.|\.(?:read_|reveal_|export|use$|exchange$|reject$|replay$|reevaluate$|test$|redeliver$)/;

export interface CountedAction {
  action: string;
  count: number;
}

/** The actions that change something, most frequent first. */
export const changesOf = (counts: readonly CountedAction[]): { action: string; label: string; count: number }[] =>
  counts
    .filter(({ action }) => !OTHER.test(action))
    .map(({ action, count }) => ({ action, label: actionLabel(action), count }));
