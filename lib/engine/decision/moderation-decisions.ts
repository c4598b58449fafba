import type { Decision } from "./contract";

/** Maximum number of spans of a decision. */
const MAX_SPANS = 100;

/** Actions that become flags, because a moderation only reports. */
const REPORTED: ReadonlySet<string> = new Set(["block", "redact"]);

/** Merges the decisions about the inputs of a moderation into one per rule of a guardrail. Their spans name the input. */
export function moderationDecisions(decided: readonly (readonly Decision[])[]): Decision[] {
  const joined = new Map<string, Decision>();
  for (const [index, decisions] of decided.entries())
    for (const { spans, action, ...decision } of decisions) {
      const own = { ...decision, action: REPORTED.has(action) ? "flag" : action };
      const key = [own.scope, own.guardrail_id, own.field, own.rule, own.action].join(" ");
      const before = joined.get(key);
      const placed = spans.map((span) => ({ ...span, path: ["input", index] }));
      joined.set(key, { ...own, ...before, spans: [...(before?.spans ?? []), ...placed].slice(0, MAX_SPANS) });
    }
  return [...joined.values()];
}
