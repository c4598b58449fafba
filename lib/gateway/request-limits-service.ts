import "server-only";
import { limitRules, type LimitSubjects } from "../engine/budgets/limit";
import { endUserOf } from "../engine/protocols/end-user";
import type { Context } from "../platform/context";
import { loadLimits } from "../records/limits/limits-store";
import type { RulesOf } from "./decide-service";

/** Returns the function that finds the organization's limits on the requests of a key or member. */
export async function requestLimits(
  { db, caller, client }: Context,
  who: Omit<LimitSubjects, "endUser" | "endpoints">,
): Promise<RulesOf> {
  const index = await loadLimits(db, caller.organizationId);
  return (request, endpoints) =>
    limitRules(index, { ...who, endUser: endUserOf(request, client.endUser ?? null), endpoints });
}
