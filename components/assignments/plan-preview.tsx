import type { UseQueryResult } from "@tanstack/react-query";
import { Alert } from "@/components/ui/alert";
import { toFailure } from "@/lib/browser/api-failure";
import { groupsOf, planSentence, type Plan, type Subject } from "./assignment-plan";
import { useLeftNames } from "./assignment-queries";

const SHOWN_NAMES = 12;

interface PlanPreviewProps {
  plan: UseQueryResult<Plan | null>;
  /** Hint until something is chosen. */
  hint: string;
  /** The guardrail's name; null when unassigning. */
  target: string | null;
  subjects: readonly Subject[];
}

/** Preview of the effect, as a summary and by name. Announced to screen readers once loaded. */
export function PlanPreview({ plan, hint, target, subjects }: PlanPreviewProps) {
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
                <dt className="inline-block text-muted first-letter:uppercase">{title}: </dt>
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
        <p className="text-muted">{plan.isFetching ? "Loading preview…" : hint}</p>
      )}
    </div>
  );
}

/** A rejected dry run lists the keys or members that can't be assigned. */
function PlanFailure({ error, names }: { error: unknown; names: ReadonlyMap<string, string> }) {
  const { message, metadata } = toFailure(error);
  const unknown = (metadata["unknown"] ?? []) as string[];
  if (unknown.length === 0)
    return (
      <Alert kind="danger" title="Couldn't load the preview">
        {message}
      </Alert>
    );
  return (
    <Alert kind="danger" title={`${unknown.length} can’t be assigned to this guardrail`}>
      {unknown.map((id) => names.get(id) ?? id).join(", ")}: deleted or in another workspace.
    </Alert>
  );
}
