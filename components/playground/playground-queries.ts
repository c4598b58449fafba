import { apiQuery } from "@/lib/browser/api-query";
import { getGeneration } from "@/lib/browser/operations/generations";
import { listKeys } from "@/lib/browser/operations/keys";
import { listModels } from "@/lib/browser/operations/models";
import { listPresets } from "@/lib/browser/operations/presets";

const MOST_LISTED = 100;

/** Inference keys that requests can be sent under, newest first. */
export const usableKeysQuery = (workspace: string | null) =>
  apiQuery(listKeys, {
    query: { kind: "inference", status: "active", limit: MOST_LISTED, ...(workspace && { workspace_id: workspace }) },
  });

export const modelOptionsQuery = apiQuery(listModels, { query: { limit: MOST_LISTED } });

export const presetOptionsQuery = (workspace: string | null) =>
  apiQuery(listPresets, {
    query: { limit: MOST_LISTED, sort: "name", status: ["active"], ...(workspace && { workspace_id: workspace }) },
  });

const RETRIES = 8;
const RETRY_MS = 400;

/** A generation is recorded shortly after its response. */
export const answeredQuery = (id: string) => ({
  ...apiQuery(getGeneration, { query: { id } }),
  retry: RETRIES,
  retryDelay: RETRY_MS,
});
