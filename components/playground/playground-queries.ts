import { foundBy, type RecordSource } from "@/components/layout/record-sources";
import { call } from "@/lib/browser/api-client";
import { apiQuery } from "@/lib/browser/api-query";
import { getGeneration } from "@/lib/browser/operations/generations";
import { getKey, listKeys } from "@/lib/browser/operations/keys";
import { listModels } from "@/lib/browser/operations/models";
import { listPresets } from "@/lib/browser/operations/presets";
import type { Key } from "@/lib/records/keys/contract";

const MOST_LISTED = 100;

/** Keys that can send requests; with `owner`, those of a member. */
const usable = (workspace: string | null, owner: string | null) =>
  ({
    kind: "inference",
    status: "active",
    ...(workspace && { workspace_id: workspace }),
    ...(owner && { creator_user_id: owner }),
  }) as const;
export const keyLabel = ({ name, label }: Pick<Key, "name" | "label">) => `${name} (${label})`;

/** The newest of them. */
export const usableKeysQuery = (workspace: string | null, owner: string | null = null) =>
  apiQuery(listKeys, { query: { ...usable(workspace, owner), limit: MOST_LISTED } });

/** Search for others. */
export const usableKeys = (owner: string | null): RecordSource => ({
  id: `usable_key ${owner ?? ""}`,
  find: (q, workspace = null) =>
    call(listKeys, { query: { ...usable(workspace, owner), ...foundBy(q) } }).then(({ data }) =>
      data.map((key) => ({ value: key.hash, label: keyLabel(key) })),
    ),
  name: (hash) => call(getKey, { params: { hash } }).then(({ data }) => keyLabel(data)),
});

export const modelOptionsQuery = apiQuery(listModels, { query: { limit: MOST_LISTED } });

const activePresets = (workspace: string | null) =>
  ({ sort: "name", status: "active", ...(workspace && { workspace_id: workspace }) }) as const;

export const presetOptionsQuery = (workspace: string | null) =>
  apiQuery(listPresets, { query: { ...activePresets(workspace), limit: MOST_LISTED } });

/** Search for other presets. */
export const usablePresets: RecordSource = {
  id: "usable_preset",
  find: (q, workspace = null) =>
    call(listPresets, { query: { ...activePresets(workspace), ...foundBy(q) } }).then(({ data }) =>
      data.map(({ slug }) => ({ value: slug, label: slug })),
    ),
  name: (slug) => Promise.resolve(slug),
};

const RETRIES = 8;
const RETRY_MS = 400;

/** A generation is recorded shortly after its response. */
export const answeredQuery = (id: string) => ({
  ...apiQuery(getGeneration, { query: { id } }),
  retry: RETRIES,
  retryDelay: RETRY_MS,
});
