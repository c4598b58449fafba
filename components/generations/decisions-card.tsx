import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { TextLink } from "@/components/ui/text-link";
import type { Decision } from "@/lib/generations/contract";

/** What guardrails decided on the request, in order. */
export function DecisionsCard({ decisions }: { decisions: readonly Decision[] }) {
  if (decisions.length === 0) return null;
  return (
    <Card id="decisions" title="Decisions" description="What guardrails decided on this request, in order." className="py-1">
      <ol className="divide-y">
        {decisions.map((decision, index) => (
          <li key={index} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
            <Badge tone={decision.action === "block" ? "warning" : "neutral"}>{decision.action}</Badge>
            <code className="font-mono text-[13px]">{decision.rule ?? decision.field}</code>
            <span className="text-[13px] text-muted">
              {decision.scope}
              {decision.spans.length > 0 && `, ${decision.spans.length} found`}
            </span>
            {decision.guardrail_id && (
              <TextLink href={`/guardrails/${decision.guardrail_id}`} className="ml-auto text-[13px]">
                {decision.guardrail_name ?? "Guardrail"}, revision {decision.revision}
              </TextLink>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}
