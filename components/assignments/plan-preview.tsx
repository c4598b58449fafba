import type { UseQueryResult } from "@tanstack/react-query";
import { Alert } from "@/components/ui/alert";
import { toFailure } from "@/lib/browser/api-failure";
import { groupsOf, planSentence, type Plan, type Subject } from "./assignment-plan";
import { useLeftNames } from "./assignment-queries";

const SHOWN_NAMES = 12;

interface PlanPreviewProps {
  plan: UseQueryResult<Plan | null>;
  /** The guardrail's name; null takes all off. */
  target: string | null;
  subjects: readonly Subject[];
}

/** What would happen, in a sentence and by name; announced when it is known. */
export function PlanPreview({ plan, target, subjects }: PlanPreviewProps) {
  const leftName = useLeftNames(plan.data);
  const names = new Map(subjects.map(({ id, name }) => [id, name]));
  if (plan.isError) return <PlanFailure error={plan.error} names={names} />;
  const groups = plan.data ? groupsOf(plan.data, target, leftName) : [];
  return (
    <div role="status" aria-label="Preview" className="min-h-20 rounded-md bg-subtle px-3 py-2 text-sm">
      {plan.data ? (
        <>
          <p className="font-medium">{planSentence(groups)}</p>
          <dl className="mt-1 grid gap-1 text-[13px]">
            {groups.map(({ title, ids }) => (
              <div key={title}>
                <dt className="inline text-muted first-letter:uppercase">{title}: </dt>
                <dd className="inline wrap-anywhere">
                  {ids
                    .slice(0, SHOWN_NAMES)
                    .map((id) => names.get(id) ?? id)
                    .join(", ")}
                  {ids.length > SHOWN_NAMES && ` and ${ids.length - SHOWN_NAMES} more`}
                </dd>
              </div>
            ))}
          </dl>
        </>
      ) : (
        <p className="text-muted">
          {plan.isFetching ? "Working out what changes…" : "Choose a guardrail to see what changes."}
        </p>
      )}
    </div>
  );
}

/** A refused dry run names those that can't be assigned. */
function PlanFailure({ error, names }: { error: unknown; names: ReadonlyMap<string, string> }) {
  const { message, metadata } = toFailure(error);
  const unknown = (metadata["unknown"] ?? []) as string[];
  if (unknown.length === 0)
    return (
      <Alert kind="danger" title="Could not work out what changes">
        {message}
      </Alert>
    );
  return (
    <Alert kind="danger" title={`${unknown.length} can’t take this guardrail`}>
      {unknown.map((id) => names.get(id) ?? id).join(", ")}: deleted, or of another workspace.
    </Alert>
  );
}
