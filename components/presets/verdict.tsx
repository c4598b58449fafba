import { Badge, type Tone } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import type { PolicyCheck } from "@/lib/features/policy-check/contract";
import { ruleName } from "@/lib/records/guardrails/vocabulary";

const OUTCOMES: Readonly<Record<PolicyCheck["outcome"], { label: string; tone: Tone }>> = {
  allowed: { label: "Allowed", tone: "success" },
  redacted: { label: "Allowed, redacted", tone: "warning" },
  flagged: { label: "Allowed, flagged", tone: "warning" },
  blocked: { label: "Blocked", tone: "danger" },
  no_endpoint: { label: "No endpoint available", tone: "danger" },
  budget_exhausted: { label: "Budget exhausted", tone: "danger" },
};

/** Policy outcome for a request, and the request as the first upstream would receive it. */
export function Verdict({ check: { outcome, message, decisions, candidates, request } }: { check: PolicyCheck }) {
  const { label, tone } = OUTCOMES[outcome];
  return (
    <Card id="verdict" title="Policy check" action={<Badge tone={tone}>{label}</Badge>} className="grid gap-4">
      {message && <p>{message}</p>}
      {decisions.length > 0 && (
        <ul aria-label="Decisions" className="grid gap-1 text-[13px]">
          {decisions.map(({ guardrail_name, field, rule, action }, index) => (
            <li key={index}>
              <span className="font-medium">{guardrail_name ?? "The request itself"}</span>: {action} by{" "}
              {ruleName({ field, rule }) ?? field}
            </li>
          ))}
        </ul>
      )}
      <section aria-labelledby="verdict-candidates" className="grid gap-1.5">
        <h3 id="verdict-candidates" className="text-[13px] font-medium">
          Candidate endpoints, in order
        </h3>
        {candidates.length === 0 && <p className="text-[13px] text-muted">No endpoint serves the requested models.</p>}
        <ol className="grid gap-1 text-[13px]">
          {candidates.map(({ model, provider, included, excluded_by }) => (
            <li key={`${provider} ${model}`} className={included ? undefined : "text-muted"}>
              <code className="font-mono">{model}</code> at {provider}
              {!included && ` – excluded by ${[...new Set(excluded_by.map(({ field }) => field))].join(", ")}`}
            </li>
          ))}
        </ol>
      </section>
      {request && <CodeBlock label="Merged request" text={JSON.stringify(request, null, 2)} wraps />}
    </Card>
  );
}
