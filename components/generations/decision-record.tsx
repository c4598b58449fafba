import { CircleCheck, CircleMinus, OctagonX } from "lucide-react";
import type { ReactNode } from "react";
import { GuardrailRevision } from "@/components/guardrails/guardrail-revision";
import { Moment } from "@/components/home/moment";
import { useMay } from "@/components/session/user-context";
import { Badge, type Tone } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { TextLink } from "@/components/ui/text-link";
import { isBudgetDecision } from "@/lib/engine/budgets/vocabulary";
import type { Decision } from "@/lib/engine/decision/contract";
import type { Generation } from "@/lib/records/generations/contract";
import { ruleName } from "@/lib/engine/filters/vocabulary";
import { count } from "@/lib/platform/count";
import { isFilter, isObserved, isRouting, stagesOf, type Stage, type StageName } from "./decision-stages";
import { actionText, fieldName, placeText } from "./decision-text";
import { formatCost } from "./generation-format";

const TITLES = {
  preset: "Preset",
  guardrails: "Guardrails",
  filters: "Content filters",
  candidates: "Candidates",
  checks: "Checks and judges",
  budgets: "Budgets",
  upstream: "Upstream",
  answer: "Response filters",
  settle: "Settled",
} as const satisfies Record<StageName, string>;

const LOOKS = {
  passed: { icon: CircleCheck, ink: "text-success" },
  stopped: { icon: OctagonX, ink: "text-danger" },
  "not reached": { icon: CircleMinus, ink: "text-muted" },
} as const;

const TONES: Readonly<Record<string, Tone>> = { block: "danger", redact: "warning", flag: "accent", allow: "success" };
const MOST_SHOWN = 8;

/** Stages of policy evaluation and their decisions. */
export function DecisionRecord({ generation }: { generation: Generation }) {
  return (
    <Card id="decisions" title="Decision record" description="How policy was applied, stage by stage." className="py-1">
      <DecisionStages generation={generation} />
    </Card>
  );
}

/** The list of stages, without a frame. */
export function DecisionStages({ generation }: { generation: Generation }) {
  return (
    <ol className="divide-y">
      {stagesOf(generation).map((stage) => (
        <StageRow key={stage.name} stage={stage} generation={generation} />
      ))}
    </ol>
  );
}

function StageRow({ stage: { name, state, decisions }, generation }: { stage: Stage; generation: Generation }) {
  const { icon: Icon, ink } = LOOKS[state];
  const summary = state === "not reached" ? "Not reached" : summaryOf(name, state, generation);
  return (
    <li className="grid gap-1.5 py-2.5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
        <Icon aria-hidden className={`size-4 shrink-0 ${ink}`} />
        <h3 className="text-[13px] font-medium">{TITLES[name]}</h3>
        {summary !== "" && <span className="text-[13px] text-muted">{summary}</span>}
        {state === "stopped" && <Badge tone="danger">Stopped here</Badge>}
      </div>
      {decisions.length > 0 && <DecisionList decisions={decisions} />}
    </li>
  );
}

function DecisionList({ decisions }: { decisions: readonly Decision[] }) {
  const rest = decisions.slice(MOST_SHOWN);
  const item = (decision: Decision, index: number) => <DecisionItem key={index} decision={decision} />;
  return (
    <>
      <ul className="grid gap-1.5 pl-6">{decisions.slice(0, MOST_SHOWN).map(item)}</ul>
      {rest.length > 0 && (
        <details className="pl-6 text-[13px]">
          <summary className="cursor-pointer text-muted">{rest.length} more</summary>
          <ul className="mt-1.5 grid gap-1.5">{rest.map(item)}</ul>
        </details>
      )}
    </>
  );
}

function DecisionItem({ decision }: { decision: Decision }) {
  const { action, rule, field, scope, spans, guardrail_name, exception, direction, withheld, reason } = decision;
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-[13px]">
      <Badge tone={TONES[action] ?? "neutral"}>{actionText(action)}</Badge>
      <span className="wrap-anywhere">
        {rule !== null && <RuleName field={field} rule={rule} />}
        {(rule === null || action === "exclude" || isRouting(decision)) && ` by ${fieldName(field)}`}
        {spans.length > 0 && (
          <span className="text-muted">, {spans.length === 1 ? "1 match" : `${spans.length} matches`}</span>
        )}
        {direction === "response" && <span className="text-muted">{placeText(direction)}</span>}
        {withheld !== undefined && (
          <span className="text-muted">, {withheld.toLocaleString("en")} characters withheld</span>
        )}
        {reason !== undefined && <span className="text-muted">: {reason}</span>}
      </span>
      <span className="ml-auto text-muted">
        {guardrail_name === null ? scope : <GuardrailName decision={decision} />}
      </span>
      {exception && (
        <p className="w-full text-muted wrap-anywhere">
          Would have been {actionText(exception.would)}. Allowed by an exception until{" "}
          <Moment at={exception.expires_at} /> ({exception.reason})
        </p>
      )}
    </li>
  );
}

/** A builtin's name, or the label of a custom rule. */
function RuleName({ field, rule }: { field: string; rule: string }) {
  const name = ruleName({ field, rule });
  return name === rule ? <code className="font-mono">{rule}</code> : name;
}

/** The guardrail and its revision at the time of the request. Only admins can open its history. */
function GuardrailName({
  decision: { guardrail_id, guardrail_name, revision, scope },
}: {
  decision: Decision;
}): ReactNode {
  const canSeeGuardrails = useMay("guardrails:read");
  const name = <GuardrailRevision name={guardrail_name ?? "Guardrail"} revision={revision} />;
  return (
    <>
      {canSeeGuardrails && guardrail_id !== null ? (
        <TextLink href={`/guardrails/${guardrail_id}/history?version=${revision ?? ""}`}>{name}</TextLink>
      ) : (
        name
      )}{" "}
      ({scope})
    </>
  );
}

const guardrailsIn = (decisions: readonly Decision[]) =>
  new Set(decisions.flatMap(({ guardrail_id }) => guardrail_id ?? [])).size;

/** Short summary of a stage, from the recorded facts. */
function summaryOf(name: StageName, state: Stage["state"], generation: Generation): string {
  const { decisions, preset_id, preset_version, attempts, cost_known, usage_estimated, provider_name, status } =
    generation;
  const applied = guardrailsIn(decisions.filter((decision) => !isObserved(decision)));
  const observed = guardrailsIn(decisions.filter(isObserved));
  const failed = attempts.filter(({ error }) => error !== null).length;
  switch (name) {
    case "preset":
      return preset_id === null ? "No preset" : `Version ${preset_version ?? "?"} applied`;
    case "guardrails":
      return `${applied === 0 ? "No rules applied" : `${count(applied, "guardrail")} applied`}${observed === 0 ? "" : `, ${observed} only observed`}`;
    case "filters":
      return decisions.some((decision) => isFilter(decision) && decision.direction !== "response")
        ? "Matches found"
        : "No matches";
    case "candidates":
      if (attempts.length === 0 && status !== "blocked") return "";
      return state === "stopped" ? "No endpoint available" : "Endpoint available";
    case "checks":
      return "";
    case "budgets": {
      const reached = decisions.filter((decision) => isBudgetDecision(decision) && decision.action !== "allow");
      if (reached.length === 0) return "Within limits";
      return reached.every(isObserved) ? "Observed limit reached" : "Limit reached";
    }
    case "upstream":
      return `${provider_name ?? "No provider"}${failed > 0 ? `, ${failed} failed ${failed === 1 ? "attempt" : "attempts"}` : " responded"}`;
    case "answer":
      return decisions.some((decision) => isFilter(decision) && decision.direction === "response")
        ? "Matches found in the answer"
        : "";
    case "settle":
      if (!cost_known) return "Cost unknown: the model has no price";
      return `${formatCost(generation)}${usage_estimated ? ", estimated" : ""}`;
  }
}
