import type { Query } from "@/lib/browser/api-client";
import { apiQuery } from "@/lib/browser/api-query";
import { listBudgets } from "@/lib/browser/operations/budgets";

/** Active budgets of a key, a member, a guardrail, or all, closest to their limit first. */
export const budgetsQuery = (query: Query<typeof listBudgets> = {}) => apiQuery(listBudgets, { query });
