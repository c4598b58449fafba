import { useQuery } from "@tanstack/react-query";
import { DataState } from "@/components/layout/data-state";
import { PolicySource } from "@/components/policy/policy-source";
import { VerdictSection } from "@/components/policy/verdict-section";
import { OUTCOME_LABELS } from "@/components/replay/outcome-labels";
import { VerdictDiff } from "@/components/replay/verdict-diff";
import { Alert } from "@/components/ui/alert";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import { apiQuery } from "@/lib/browser/api-query";
import { explainGeneration } from "@/lib/browser/operations/replay-why";
import type { PolicyVerdict } from "@/lib/features/replay/why-contract";
import { fieldName } from "./decision-text";

type AsOf = PolicyVerdict["as_of"];

const whyQuery = (id: string, asOf: AsOf) => ({
  ...apiQuery(explainGeneration, { query: { id, as_of: asOf } }),
  staleTime: 0,
  gcTime: 0,
});

export function WhyVerdict({ id, asOf }: { id: string; asOf: AsOf }) {
  const query = useQuery({ ...whyQuery(id, asOf), select: ({ data }) => data });
  return (
    <DataState query={query} subject="the result" skeleton={<Skeleton className="h-32" />}>
      {(data) => <Evaluation verdict={data} />}
    </DataState>
  );
}

function Evaluation({ verdict }: { verdict: PolicyVerdict }) {
  const { as_of, recorded, verdict: evaluated, obstacle, is_same, changes } = verdict;
  if (!evaluated)
    return (
      <Alert kind="info" title="This request can’t be re-evaluated">
        {obstacle?.message}
      </Alert>
    );
  const label = as_of === "then" ? "Original policy" : "Current policy";
  return (
    <div role="status" className="grid gap-4">
      <p className="font-medium">{sentence(as_of, is_same, recorded, evaluated)}</p>
      {evaluated.message !== null && (
        <p className="text-[13px] text-muted wrap-anywhere">
          Error returned{is_same ? "" : " under this policy"}: {evaluated.message}
        </p>
      )}
      {!is_same && <VerdictDiff before={recorded} after={evaluated} beforeLabel="As recorded" afterLabel={label} />}
      {as_of === "now" && <Changes changes={changes} />}
      <AppliedGuardrails layers={verdict.layers} />
      <Candidates candidates={evaluated.candidates} />
    </div>
  );
}

function sentence(
  asOf: AsOf,
  isSame: boolean,
  recorded: PolicyVerdict["recorded"],
  evaluated: NonNullable<PolicyVerdict["verdict"]>,
): string {
  const [then, now] = [OUTCOME_LABELS[recorded.outcome], OUTCOME_LABELS[evaluated.outcome].toLowerCase()];
  if (asOf === "then")
    return isSame ? `${then}, same as recorded.` : `Recorded: ${then.toLowerCase()}. Re-evaluated: ${now}.`;
  return isSame
    ? `Same outcome under the current policy: ${now}.`
    : `Original policy: ${then.toLowerCase()}. Current policy: ${now}.`;
}

function Changes({ changes }: Pick<PolicyVerdict, "changes">) {
  if (changes.length === 0)
    return <p className="text-[13px] text-muted">No relevant guardrail has changed since then.</p>;
  return (
    <VerdictSection title="Changes since then">
      <ul className="grid gap-3">
        {changes.map(({ scope, guardrail_id, guardrail_name, from_revision, to_revision, revisions }) => (
          <li key={`${scope} ${guardrail_id}`} className="grid gap-1">
            <p className="wrap-anywhere">
              <TextLink href={historyOf(guardrail_id, from_revision, to_revision)}>{guardrail_name}</TextLink> ({scope}){" "}
              {moved(from_revision, to_revision)}
            </p>
            {revisions.length > 0 && (
              <ul className="grid list-disc gap-1 pl-5 text-muted">
                {revisions.map(({ revision, changed_fields, author, created_at, message }) => (
                  <li key={revision} className="wrap-anywhere">
                    Revision {revision}: {changed_fields.map(fieldName).join(", ") || "no changes"}
                    {author && ` by ${author.name}`}, <RelativeTime at={created_at} />
                    {message && `: “${message}”`}
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </VerdictSection>
  );
}

const historyOf = (id: string, from: number | null, to: number | null) =>
  `/guardrails/${id}/history${(to ?? from) === null ? "" : `?version=${to ?? from}`}`;

const moved = (from: number | null, to: number | null) =>
  from === null ? "didn't apply then" : to === null ? "no longer applies" : `changed from revision ${from} to ${to}`;

const AppliedGuardrails = ({ layers }: Pick<PolicyVerdict, "layers">) =>
  layers.length > 0 && (
    <VerdictSection title="Guardrails applied">
      <ul className="flex flex-wrap gap-1.5">
        {layers.map((source) => (
          <li key={`${source.scope} ${source.guardrail_id}`}>
            <PolicySource source={source} />
          </li>
        ))}
      </ul>
    </VerdictSection>
  );

const Candidates = ({ candidates }: Pick<NonNullable<PolicyVerdict["verdict"]>, "candidates">) => (
  <VerdictSection title="Endpoints">
    {candidates.length === 0 ? (
      <p className="text-muted">No endpoint serves the requested model.</p>
    ) : (
      <ul className="grid max-h-64 gap-1 overflow-y-auto">
        {candidates.map(({ model, provider, included, excluded_by }) => (
          <li key={`${model} ${provider}`} className="flex flex-wrap gap-x-2">
            <span className="font-mono wrap-anywhere">
              {provider} · {model}
            </span>
            <span className="text-muted">
              {included
                ? "eligible"
                : `excluded by ${[...new Set(excluded_by.map(({ field }) => fieldName(field)))].join(", ")}`}
            </span>
          </li>
        ))}
      </ul>
    )}
  </VerdictSection>
);
