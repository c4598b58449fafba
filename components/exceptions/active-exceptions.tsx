import { useQuery } from "@tanstack/react-query";
import { activeExceptionsQuery } from "./exception-queries";

/** Number of active exceptions to a guardrail; renders nothing for zero. */
export function ActiveExceptions({ guardrailId }: { guardrailId: string }) {
  const count = useQuery(activeExceptionsQuery(guardrailId)).data?.total_count ?? 0;
  if (count === 0) return null;
  return <span className="text-warning">{count === 1 ? "1 active exception" : `${count} active exceptions`}</span>;
}
