import { formatCount } from "@/components/generations/generation-format";
import { BarList } from "@/components/ui/bar-list";
import { Card } from "@/components/ui/card";
import type { Overview } from "@/lib/features/analytics/contract";
import { logLink, type Counted } from "@/components/generations/log-link";
import { ruleText } from "./rule-text";

export function RulesCard({ overview: { rules }, counted }: { overview: Overview; counted: Counted }) {
  return (
    <Card id="rules" title="Top rules" description="Rules by number of affected requests.">
      {rules.length === 0 ? (
        <p className="text-sm text-muted">No rules applied in this range.</p>
      ) : (
        <BarList
          label="Top rules"
          items={rules.map((rule) => ({
            label: ruleText(rule),
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
