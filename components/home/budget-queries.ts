import type { Query } from "@/lib/browser/api-client";
import { apiQuery } from "@/lib/browser/api-query";
import { listBudgets } from "@/lib/browser/operations/budgets";

/** The budgets in force, the one closest to its limit first: of a key, a member, a guardrail, or all. */
export const budgetsQuery = (query: Query<typeof listBudgets> = {}) => apiQuery(listBudgets, { query });
