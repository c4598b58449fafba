import { keepPreviousData } from "@tanstack/react-query";
import { createLoader, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { PAGE_SIZE } from "@/components/layout/page-size";
import { call, newIdempotencyKey, type CallInput } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery, reload } from "@/lib/browser/api-query";
import {
  createAlert,
  deleteAlert,
  getAlert,
  listAlertFirings,
  listAlerts,
  testAlert,
  updateAlert,
} from "@/lib/browser/operations/alerts";
import { FIRING_STATES } from "@/lib/features/alerts/vocabulary";
import { LIST_STATE } from "@/components/layout/list-state";

/** Value of `alert` while a new rule is entered. */
export const NEW_ALERT = "new";

/** URL state: tab, filter and page of the history, and the open rule. */
export const ALERT_STATE = {
  ...LIST_STATE,
  tab: parseAsStringLiteral(["rules", "history"] as const).withDefault("rules"),
  state: parseAsStringLiteral(FIRING_STATES),
  alert: parseAsString,
};

export const loadAlertState = createLoader(ALERT_STATE);

/** The maximum number of rules per organization. */
const ALL = 100;
const SOON_MS = 5_000;

/** Polls for firings and deliveries, unless the user may not read them. */
const refetchInterval = ({ state }: { state: { status: string } }) => (state.status === "error" ? false : SOON_MS);

export const alertsQuery = (workspace: string | null) => ({
  ...apiQuery(listAlerts, { query: { limit: ALL, ...(workspace && { workspace_id: workspace }) } }),
  refetchInterval,
});

export const alertQuery = (id: string) => apiQuery(getAlert, { params: { id } });

export interface FiringFilters {
  offset: number;
  alert?: string | null;
  state: (typeof FIRING_STATES)[number] | null;
  workspace: string | null;
}

export const firingsQuery = ({ offset, alert, state, workspace }: FiringFilters) => ({
  ...apiQuery(listAlertFirings, {
    query: {
      offset,
      limit: PAGE_SIZE,
      ...(alert && { alert_id: alert }),
      ...(state && { state }),
      ...(workspace && { workspace_id: workspace }),
    },
  }),
  placeholderData: keepPreviousData,
  refetchInterval,
});

export const useCreateAlert = () =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof createAlert>["body"]) =>
      call(createAlert, { body, idempotencyKey: newIdempotencyKey() }),
    onSuccess: reload(listAlerts, getAlert, listAlertFirings),
  });

export const useUpdateAlert = (id: string) =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof updateAlert>["body"]) => call(updateAlert, { params: { id }, body }),
    onSuccess: reload(listAlerts, getAlert, listAlertFirings),
  });

export const useDeleteAlert = () =>
  useApiMutation({
    mutationFn: (id: string) => call(deleteAlert, { params: { id } }),
    onSuccess: reload(listAlerts, listAlertFirings),
  });

export const useTestAlert = (id: string) =>
  useApiMutation({
    mutationFn: () => call(testAlert, { params: { id } }),
    onSuccess: reload(listAlertFirings),
  });
