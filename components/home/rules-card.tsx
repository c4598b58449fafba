import { FIELD_LABELS } from "@/components/guardrails/field-labels";
import { formatCount } from "@/components/generations/generation-format";
import { BarList } from "@/components/ui/bar-list";
import { Card } from "@/components/ui/card";
import type { FiringRule, Overview } from "@/lib/features/analytics/contract";
import { ruleName } from "@/lib/records/guardrails/vocabulary";
import { logLink, type Counted } from "@/components/generations/log-link";

const ACTIONS: Readonly<Record<string, string>> = {
  block: "blocked",
  redact: "redacted",
  flag: "flagged",
  exclude: "excluded",
};
const LABELS: Readonly<Record<string, string>> = FIELD_LABELS;

/** "Production: Email addresses blocked". A rule without a name is identified by its field. */
const nameOf = ({ guardrail_name, field, rule, action }: FiringRule) =>
  `${guardrail_name ?? "A key's own limit"}: ${ruleName({ field, rule }) ?? LABELS[field] ?? field} ${ACTIONS[action] ?? action}`;

export function RulesCard({ overview: { rules }, counted }: { overview: Overview; counted: Counted }) {
  return (
    <Card id="rules" title="Top rules" description="Rules by number of affected requests.">
      {rules.length === 0 ? (
        <p className="text-sm text-muted">No rules applied in this range.</p>
      ) : (
        <BarList
          label="Top rules"
          items={rules.map((rule) => ({
            label: nameOf(rule),
            value: rule.requests,
            text: formatCount(rule.requests),
            href: logLink(counted, {
              guardrail_id: rule.guardrail_id,
              rule: rule.rule ?? rule.field,
              action: rule.action,
            }),
          }))}
        />
      )}
    </Card>
  );
}
