import type { Tone } from "@/components/ui/badge";
import type { Replay, ReplayProgress } from "@/lib/replay/contract";
import type { Change, Obstacle } from "@/lib/replay/vocabulary";

export const CHANGE_WORDS = {
  newly_blocked: { title: "Newly blocked", does: "block", tone: "danger" },
  no_endpoint: { title: "No endpoint left", does: "leave without an endpoint", tone: "danger" },
  budget_exhausted: { title: "Over the limit", does: "stop for the limit", tone: "danger" },
  newly_redacted: { title: "Newly redacted", does: "redact", tone: "warning" },
  newly_flagged: { title: "Newly flagged", does: "flag", tone: "accent" },
  rerouted: { title: "Other endpoint", does: "send elsewhere", tone: "accent" },
  newly_allowed: { title: "Newly allowed", does: "newly allow", tone: "success" },
} as const satisfies Record<Change, { title: string; does: string; tone: Tone }>;

export const CHANGE_ORDER = Object.keys(CHANGE_WORDS) as readonly Change[];

export const OBSTACLE_WORDS = {
  facts_not_kept: "recorded before the facts of a decision were kept",
  content_not_stored: "without stored content for a filter that is new",
  content_expired: "whose content was deleted",
  redacted: "with redacted text that a new filter would have to read",
  not_scanned: "that the filters had not finished when they were sent",
  filters_failed: "that the filters did not finish now",
  policy_gone: "under a guardrail that is gone",
  catalogue_gone: "whose endpoints are no longer known",
} as const satisfies Record<Obstacle, string>;

const number = new Intl.NumberFormat("en");
export const amount = (count: number, noun: string) => `${number.format(count)} ${noun}${count === 1 ? "" : "s"}`;
const joined = new Intl.ListFormat("en", { style: "long", type: "conjunction" });

/** "Over 2,000 requests it would block 14, redact 61 and newly allow 3." */
export function impactInWords(counts: ReplayProgress | Replay): string {
  const { selected, evaluated } = counts;
  if (selected === 0) return "No recorded request fits.";
  if (evaluated === 0) return `None of ${amount(selected, "request")} could be judged.`;
  const parts = CHANGE_ORDER.filter((change) => counts[change] > 0).map(
    (change) => `${CHANGE_WORDS[change].does} ${number.format(counts[change])}`,
  );
  const of = amount(evaluated, "recorded request");
  return parts.length === 0 ? `It would change nothing for ${of}.` : `Over ${of} it would ${joined.format(parts)}.`;
}
