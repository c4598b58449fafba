import type { ReactNode } from "react";
import { Badge, type Tone } from "@/components/ui/badge";
import { HighlightedText } from "@/components/ui/highlighted-text";
import { MonoId } from "@/components/ui/mono-id";
import type { Decision } from "@/lib/generations/contract";
import type { PolicyCheck } from "@/lib/policy/contract";
import { isIn, sentMessages, type Message } from "./test-request";

type Outcome = PolicyCheck["outcome"];

export const OUTCOMES = {
  allowed: { title: "Would be sent unchanged", tone: "success" },
  redacted: { title: "Would be sent redacted", tone: "warning" },
  flagged: { title: "Would be sent and flagged", tone: "accent" },
  blocked: { title: "Would be refused", tone: "danger" },
  no_endpoint: { title: "No endpoint may serve it", tone: "danger" },
  budget_exhausted: { title: "The budget is used up", tone: "danger" },
} as const satisfies Record<Outcome, { title: string; tone: Tone }>;

const ACTION_TONES: Readonly<Record<string, Tone>> = { block: "danger", redact: "warning", flag: "accent" };
const toneOf = (action: string): Tone => ACTION_TONES[action] ?? "neutral";

/** What a check found: the outcome, and everything that led to it. */
export function TestPanelResult({ check, messages }: { check: PolicyCheck; messages: readonly Message[] }) {
  const { outcome, message, decisions, candidates, request } = check;
  const hasFindings = decisions.some(({ spans }) => spans.length > 0);
  return (
    <section aria-label="Result of the check" className="grid gap-4 border-t pt-3">
      <div className="grid gap-1">
        <Badge tone={OUTCOMES[outcome].tone} className="justify-self-start">
          {OUTCOMES[outcome].title}
        </Badge>
        {message && <p className="text-[13px] wrap-anywhere">The caller reads: {message}</p>}
      </div>
      {hasFindings && (
        <Part title={outcome === "redacted" ? "As written" : "What was found"}>
          {messages.map(({ content }, index) => (
            <HighlightedText key={index} text={content} spans={spansOf(decisions, index)} />
          ))}
        </Part>
      )}
      {outcome === "redacted" && request && (
        <Part title="As it would be sent">
          {sentMessages(request).map(({ content }, index) => (
            <p key={index} className="wrap-anywhere whitespace-pre-wrap">
              {content}
            </p>
          ))}
        </Part>
      )}
      {decisions.length > 0 && (
        <Part title="Decisions">
          <Decisions decisions={decisions} />
        </Part>
      )}
      <Part title="Endpoints">
        <Candidates candidates={candidates} />
      </Part>
    </section>
  );
}

/** Spans of the text of one message, marked as the decision that found them. */
const spansOf = (decisions: readonly Decision[], index: number) =>
  decisions.flatMap(({ spans, rule, field, action }) =>
    spans
      .filter(({ path }) => isIn(path, index))
      .map(({ start, end }) => ({ start, end, label: rule ?? field, tone: toneOf(action) })),
  );

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid gap-1.5 text-[13px]">
      <h3 className="font-medium">{title}</h3>
      {children}
    </section>
  );
}

function Decisions({ decisions }: { decisions: readonly Decision[] }) {
  return (
    <ul className="grid gap-1.5">
      {decisions.map(({ action, rule, field, scope, guardrail_name, spans }, index) => (
        <li key={index} className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Badge tone={toneOf(action)}>{action}</Badge>
          <code className="font-mono wrap-anywhere">{rule ?? field}</code>
          <span className="text-muted">
            {scope === "draft" ? "this draft" : `${scope}: ${guardrail_name ?? "the request itself"}`}
            {spans.length > 0 && `, ${spans.length} found`}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Candidates({ candidates }: Pick<PolicyCheck, "candidates">) {
  if (candidates.length === 0) return <p className="text-muted">No endpoint serves this model.</p>;
  return (
    <ul className="grid max-h-64 gap-1.5 overflow-y-auto">
      {candidates.map(({ model, provider, included, excluded_by }) => (
        <li key={`${model} ${provider}`} className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <Badge tone={included ? "success" : "neutral"}>{included ? "Included" : "Excluded"}</Badge>
          <span className="font-mono wrap-anywhere">
            {provider} · {model}
          </span>
          {excluded_by.map(({ scope, field, guardrail_id }, index) => (
            <span key={index} className="inline-flex flex-wrap items-center gap-x-1 text-muted">
              by {field}, {scope === "draft" ? "this draft" : scope}
              {guardrail_id && <MonoId value={guardrail_id} name="guardrail id" />}
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}
