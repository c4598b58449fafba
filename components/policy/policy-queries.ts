import type { CallInput } from "@/lib/browser/api-client";
import { apiQuery } from "@/lib/browser/api-query";
import { getEffectivePolicy } from "@/lib/browser/operations/policy-check";

/** Effective policy of a key, or of a member in a workspace. */
export const effectivePolicyQuery = (subject: NonNullable<CallInput<typeof getEffectivePolicy>["query"]>) =>
  apiQuery(getEffectivePolicy, { query: subject });
