import { actionText, fieldName } from "@/components/generations/decision-text";
import { Badge, type Tone } from "@/components/ui/badge";
import { HighlightedText } from "@/components/ui/highlighted-text";
import { MonoId } from "@/components/ui/mono-id";
import type { Decision } from "@/lib/engine/decision/contract";
import type { PolicyCheck } from "@/lib/features/policy-check/contract";
import { isIn, sentMessages, type Message } from "./test-request";
import { VerdictSection } from "./verdict-section";
import { ruleName } from "@/lib/engine/filters/vocabulary";

type Outcome = PolicyCheck["outcome"];

export const OUTCOMES = {
  allowed: { title: "Allowed unchanged", tone: "success" },
  redacted: { title: "Allowed with redactions", tone: "warning" },
  flagged: { title: "Allowed and flagged", tone: "accent" },
  blocked: { title: "Blocked", tone: "danger" },
  no_endpoint: { title: "No endpoint available", tone: "danger" },
  budget_exhausted: { title: "Budget exhausted", tone: "danger" },
} as const satisfies Record<Outcome, { title: string; tone: Tone }>;

const ACTION_TONES: Readonly<Record<string, Tone>> = { block: "danger", redact: "warning", flag: "accent" };
const toneOf = (action: string): Tone => ACTION_TONES[action] ?? "neutral";

/** Outcome of a check, with matches, decisions and endpoints. */
export function TestPanelResult({
  check,
  messages,
  answer,
}: {
  check: PolicyCheck;
  messages: readonly Message[];
  /** The response that was checked; null for none. */
  answer: string | null;
}) {
  const { outcome, message, decisions, candidates, request } = check;
  const [inRequest, inAnswer] = (["request", "response"] as const).map((direction) =>
    decisions.filter((decision) => (decision.direction ?? "request") === direction),
  ) as [Decision[], Decision[]];
  const isRedacted = inRequest.some(({ action }) => action === "redact");
  return (
    <section aria-label="Check result" className="grid gap-4 border-t pt-3">
      <div className="grid gap-1">
        <Badge tone={OUTCOMES[outcome].tone} className="justify-self-start">
          {OUTCOMES[outcome].title}
        </Badge>
        {message && <p className="text-[13px] wrap-anywhere">Error returned: {message}</p>}
      </div>
      {hasMatch(inRequest) && (
        <VerdictSection title={isRedacted && request ? "Original prompt" : "Matches"}>
          {messages.map(({ content }, index) => (
            <HighlightedText key={index} text={content} spans={spansOf(inRequest, (path) => isIn(path, index))} />
          ))}
        </VerdictSection>
      )}
      {isRedacted && request && (
        <VerdictSection title="As sent to the model">
          {sentMessages(request).map(({ content }, index) => (
            <p key={index} className="wrap-anywhere whitespace-pre-wrap">
              {content}
            </p>
          ))}
        </VerdictSection>
      )}
      {answer !== null && hasMatch(inAnswer) && (
        <VerdictSection
          title={
            typeof check.answer === "string" && check.answer !== answer
              ? "Original response"
              : "Matches in the response"
          }
        >
          <HighlightedText text={answer} spans={spansOf(inAnswer, () => true)} />
        </VerdictSection>
      )}
      {typeof check.answer === "string" && check.answer !== answer && (
        <VerdictSection title="As returned to the caller">
          <p className="wrap-anywhere whitespace-pre-wrap">{check.answer}</p>
        </VerdictSection>
      )}
      {decisions.length > 0 && (
        <VerdictSection title="Decisions">
          <Decisions decisions={decisions} />
        </VerdictSection>
      )}
      <VerdictSection title="Endpoints">
        <Candidates candidates={candidates} />
      </VerdictSection>
    </section>
  );
}

const hasMatch = (decisions: readonly Decision[]) => decisions.some(({ spans }) => spans.length > 0);

/** Highlighted spans of one text, labelled by decision. */
const spansOf = (decisions: readonly Decision[], isInText: (path: readonly (string | number)[]) => boolean) =>
  decisions.flatMap(({ spans, rule, field, action }) =>
    spans
      .filter(({ path }) => isInText(path))
      .map(({ start, end }) => ({
        start,
        end,
        label: ruleName({ field, rule }) ?? fieldName(field),
        tone: toneOf(action),
      })),
  );

function Decisions({ decisions }: { decisions: readonly Decision[] }) {
  return (
    <ul className="grid gap-1.5">
      {decisions.map(({ action, rule, field, scope, guardrail_name, spans, direction, reason }, index) => (
        <li key={index} className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Badge tone={toneOf(action)}>{actionText(action)}</Badge>
          <code className="font-mono wrap-anywhere">{ruleName({ field, rule }) ?? fieldName(field)}</code>
          <span className="text-muted">
            {scope === "draft" ? "this draft" : `${scope}: ${guardrail_name ?? "the request itself"}`}
            {spans.length > 0 && `, ${spans.length} found`}
            {direction === "response" && " in the response"}
            {reason !== undefined && `: ${reason}`}
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
              by {fieldName(field)}, {scope === "draft" ? "this draft" : scope}
              {guardrail_id && <MonoId value={guardrail_id} name="guardrail ID" />}
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}
