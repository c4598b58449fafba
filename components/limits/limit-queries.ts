import { queryOptions } from "@tanstack/react-query";
import { parseAsString } from "nuqs/server";
import { call, newIdempotencyKey, type CallInput, type Query } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery, reload, transportOf } from "@/lib/browser/api-query";
import { listBudgets } from "@/lib/browser/operations/budgets";
import {
  createLimit,
  deleteLimit,
  getLimit,
  listLimits,
  listLimitSubjects,
  updateLimit,
} from "@/lib/browser/operations/limits";
import type { Limit } from "@/lib/records/limits/contract";

/** Value of `limit` while a new one is entered. */
export const NEW_LIMIT = "new";

/** URL state: the open limit. */
export const LIMIT_STATE = { limit: parseAsString };

const MOST = 100;

export const limitsQuery = (query: Query<typeof listLimits> = {}) =>
  apiQuery(listLimits, { query: { limit: MOST, ...query } });
export const limitQuery = (id: string) => apiQuery(getLimit, { params: { id } });

const MOST_SUBJECTS_SHOWN = 10;
export const limitSubjectsQuery = (id: string) =>
  apiQuery(listLimitSubjects, { params: { id }, query: { limit: MOST_SUBJECTS_SHOWN } });

/** All limits of the organization, page by page. */
export const allLimitsQuery = queryOptions<{ data: Limit[] }>({
  queryKey: [listLimits.id, "all"],
  queryFn: async ({ signal, client }) => {
    const data: Limit[] = [];
    for (;;) {
      const query = { limit: MOST, offset: data.length };
      const page = await transportOf(client)(listLimits, { query, signal });
      data.push(...page.data);
      if (page.data.length === 0 || data.length >= page.total_count) return { data };
    }
  },
});

/** Budgets of guardrails and keys, closest to their limit first. */
export const allBudgetsQuery = apiQuery(listBudgets, { query: { limit: MOST, include_limits: "false" } });

export const useCreateLimit = () =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof createLimit>["body"]) =>
      call(createLimit, { body, idempotencyKey: newIdempotencyKey() }),
    onSuccess: reload(listLimits),
  });

type LimitChange = Pick<CallInput<typeof updateLimit>, "body"> & { base: Limit };

export const useUpdateLimit = () =>
  useApiMutation({
    mutationFn: ({ base, body }: LimitChange) =>
      call(updateLimit, { params: { id: base.id }, body, ifMatch: base.revision }),
    onSuccess: reload(listLimits, getLimit, listLimitSubjects),
    // Somebody else may have changed it.
    onError: reload(getLimit),
  });

export const useDeleteLimit = () =>
  useApiMutation({
    mutationFn: (id: string) => call(deleteLimit, { params: { id } }),
    onSuccess: reload(listLimits),
  });
