import { keepPreviousData } from "@tanstack/react-query";
import { PAGE_SIZE } from "@/components/layout/page-size";
import { call, newIdempotencyKey, type CallInput } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery, reload } from "@/lib/browser/api-query";
import {
  createExportDestination,
  deleteExportDestination,
  getExportDestination,
  listExportDestinations,
  listExportRuns,
  testExportDestination,
  updateExportDestination,
} from "@/lib/browser/operations/exports";

/** Above the maximum number of destinations per organization. */
const ALL = 100;
const SOON_MS = 5_000;

/** Polls for runs, unless the user may not read them. */
const refetchInterval = ({ state }: { state: { status: string } }) => (state.status === "error" ? false : SOON_MS);

export const exportsQuery = apiQuery(listExportDestinations, { query: { limit: ALL } });

export const polledExportsQuery = { ...exportsQuery, refetchInterval };

export const exportQuery = (id: string) => ({
  ...apiQuery(getExportDestination, { params: { id } }),
  refetchInterval,
});

export const runsQuery = (id: string, offset: number) => ({
  ...apiQuery(listExportRuns, { params: { id }, query: { offset, limit: PAGE_SIZE } }),
  placeholderData: keepPreviousData,
  refetchInterval,
});

export const useCreateExport = () =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof createExportDestination>["body"]) =>
      call(createExportDestination, { body, idempotencyKey: newIdempotencyKey() }),
    onSuccess: reload(listExportDestinations, getExportDestination),
  });

export const useUpdateExport = (id: string) =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof updateExportDestination>["body"]) =>
      call(updateExportDestination, { params: { id }, body }),
    onSuccess: reload(listExportDestinations, getExportDestination),
  });

export const useDeleteExport = (id: string) =>
  useApiMutation({
    mutationFn: () => call(deleteExportDestination, { params: { id } }),
    onSuccess: reload(listExportDestinations),
  });

export const useTestExport = (id: string) =>
  useApiMutation({
    mutationFn: () => call(testExportDestination, { params: { id } }),
    onSuccess: reload(listExportRuns),
  });
