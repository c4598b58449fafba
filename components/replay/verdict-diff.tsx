import { actionText, fieldName, placeText } from "@/components/generations/decision-text";
import { OUTCOME_LABELS } from "./outcome-labels";
import { DiffView } from "@/components/ui/diff-view";
import { ruleName } from "@/lib/engine/filters/vocabulary";
import type { Decision } from "@/lib/engine/decision/contract";
import type { ReplayRow } from "@/lib/features/replay/contract";

type Verdict = ReplayRow["before"];

const LABELS = { outcome: "Outcome", message: "Error returned", route: "Routed to", decisions: "Decisions" };

const describeDecision = ({ action, rule, field, guardrail_name, scope, direction }: Decision) =>
  `${actionText(action)} ${ruleName({ field, rule }) ?? fieldName(field)}${placeText(direction)} by ${guardrail_name ?? scope}`;

const facts = ({ outcome, message, provider, model, decisions }: Verdict) => ({
  outcome: OUTCOME_LABELS[outcome],
  message,
  route: provider === null ? null : `${provider}, ${model}`,
  decisions: [...new Set(decisions.map(describeDecision))].toSorted(),
});

/** Diff of two verdicts on one request. */
export const VerdictDiff = ({
  before,
  after,
  beforeLabel,
  afterLabel,
}: {
  before: Verdict;
  after: Verdict;
  beforeLabel: string;
  afterLabel: string;
}) => (
  <DiffView
    before={facts(before)}
    after={facts(after)}
    beforeLabel={beforeLabel}
    afterLabel={afterLabel}
    labels={LABELS}
  />
);
