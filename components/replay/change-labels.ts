import type { Tone } from "@/components/ui/badge";
import type { Replay, ReplayProgress } from "@/lib/features/replay/contract";
import type { Change, Obstacle } from "@/lib/features/replay/vocabulary";

export const CHANGE_LABELS = {
  newly_blocked: { title: "Newly blocked", does: "block", tone: "danger" },
  no_endpoint: { title: "No endpoint available", does: "leave without an endpoint", tone: "danger" },
  budget_exhausted: { title: "Over budget", does: "reject over budget", tone: "danger" },
  newly_redacted: { title: "Newly redacted", does: "redact", tone: "warning" },
  newly_flagged: { title: "Newly flagged", does: "flag", tone: "accent" },
  rerouted: { title: "Rerouted", does: "reroute", tone: "accent" },
  newly_allowed: { title: "Newly allowed", does: "newly allow", tone: "success" },
} as const satisfies Record<Change, { title: string; does: string; tone: Tone }>;

export const CHANGE_ORDER = Object.keys(CHANGE_LABELS) as readonly Change[];

export const OBSTACLE_LABELS = {
  facts_not_kept: "recorded before decision data was stored",
  content_not_stored: "without stored content for a new filter",
  content_expired: "whose content was deleted",
  content_not_permitted: "whose content your role can’t read, for a new filter",
  redacted: "with redacted text that a new filter would have to read",
  not_scanned: "whose original scan didn’t finish",
  filters_failed: "whose scan timed out",
  not_checked: "without the verdict of an external check",
  policy_gone: "under a deleted guardrail",
  draft_not_stored: "judged by an unsaved guardrail",
  catalogue_gone: "whose endpoint data is no longer stored",
} as const satisfies Record<Obstacle, string>;

const number = new Intl.NumberFormat("en");
export const amount = (count: number, noun: string) => `${number.format(count)} ${noun}${count === 1 ? "" : "s"}`;
const joined = new Intl.ListFormat("en", { style: "long", type: "conjunction" });

/** "Across 2,000 recorded requests, this would block 14, redact 61 and newly allow 3." */
export function describeImpact(counts: ReplayProgress | Replay): string {
  const { selected, evaluated } = counts;
  if (selected === 0) return "No recorded requests match.";
  if (evaluated === 0) return `None of ${amount(selected, "request")} could be evaluated.`;
  const parts = CHANGE_ORDER.filter((change) => counts[change] > 0).map(
    (change) => `${CHANGE_LABELS[change].does} ${number.format(counts[change])}`,
  );
  const of = amount(evaluated, "recorded request");
  return parts.length === 0 ? `No effect on ${of}.` : `Across ${of}, this would ${joined.format(parts)}.`;
}
