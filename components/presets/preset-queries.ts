import { keepPreviousData, useQueryClient } from "@tanstack/react-query";
import { pageOf } from "@/components/layout/list-state";
import { PAGE_SIZE } from "@/components/layout/page-size";
import { call, newIdempotencyKey, type CallInput } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery, invalidate, reload } from "@/lib/browser/api-query";
import {
  createPresetFromChatCompletions,
  createPresetFromMessages,
  createPresetFromResponses,
  getPreset,
  getPresetVersion,
  listPresets,
  listPresetVersions,
  updatePreset,
} from "@/lib/browser/operations/presets";
import { getPresetCompatibility } from "@/lib/browser/operations/preset-compatibility";
import { deletePresetLabel, setPresetLabel } from "@/lib/browser/operations/presets-labels";
import { getPresetUsage } from "@/lib/browser/operations/presets-usage";
import type { Preset, PresetWithVersion } from "@/lib/records/presets/contract";
import type { PresetListState } from "./preset-state";
import type { BodyFormat } from "./request-text";

/** A preset's slug, and its workspace unless it is the default one. */
export interface PresetAddress {
  slug: string;
  workspace: string | null;
}

const inWorkspace = (workspace: string | null) => (workspace === null ? {} : { workspace_id: workspace });
const at = ({ slug, workspace }: PresetAddress) => ({ params: { slug }, query: inWorkspace(workspace) });

const SORTS = ["name", "slug", "updated_at", "created_at"] as const;

export const presetListQuery = ({ workspace, status, ...page }: PresetListState) => ({
  ...apiQuery(listPresets, {
    query: { ...inWorkspace(workspace), ...pageOf(page, SORTS), ...(status && status.length > 0 && { status }) },
  }),
  placeholderData: keepPreviousData,
});

export const presetQuery = (address: PresetAddress) => apiQuery(getPreset, at(address));

/** One page of versions, newest first. */
export const presetVersionsQuery = (address: PresetAddress, offset: number) => {
  const { params, query } = at(address);
  return {
    ...apiQuery(listPresetVersions, { params, query: { ...query, offset, limit: PAGE_SIZE, sort: "-version" } }),
    placeholderData: keepPreviousData,
  };
};

/** Versions are immutable. */
export const presetVersionQuery = ({ slug, workspace }: PresetAddress, version: number) => ({
  ...apiQuery(getPresetVersion, { params: { slug, version: String(version) }, query: inWorkspace(workspace) }),
  staleTime: Infinity,
});

const DAY_MS = 86_400_000;
/** Days of usage shown in the version history, and in confirmations of changes. */
export const USAGE_DAYS = 30;
export const RECENT_DAYS = 7;

/** Usage per version for the last `days` days, from the start of the UTC day. */
export const presetUsageQuery = (address: PresetAddress, days: number) => {
  const { params, query } = at(address);
  const from = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - days * DAY_MS).toISOString();
  return apiQuery(getPresetUsage, { params, query: { ...query, from } });
};

const CREATE = {
  responses: createPresetFromResponses,
  chat_completions: createPresetFromChatCompletions,
  messages: createPresetFromMessages,
} as const;

/** User-written JSON, validated by the server. */
type AnyBody = Readonly<Record<string, unknown>>;

/** Dry run of creating a version. */
export const previewQuery = (address: PresetAddress, format: BodyFormat, body: AnyBody) => {
  const { params, query } = at(address);
  const input = { params, query: { ...query, dry_run: "true" }, body } as CallInput<typeof createPresetFromResponses>;
  return {
    ...apiQuery(CREATE[format] as typeof createPresetFromResponses, input),
    gcTime: 0,
    placeholderData: keepPreviousData,
  };
};

interface NewVersion {
  format: BodyFormat;
  body: AnyBody;
  message: string;
  /** The revision the version is based on; null for any. */
  basedOn: number | null;
  /** False to keep an existing preset's live version. */
  goesLive: boolean;
}

export function useCreateVersion(address: PresetAddress) {
  const { params, query } = at(address);
  return useApiMutation({
    mutationFn: ({ format, body, message, basedOn, goesLive }: NewVersion) => {
      const input = {
        params,
        query: {
          ...query,
          ...(message.trim() && { message: message.trim() }),
          ...(!goesLive && { designate: "false" as const }),
        },
        body,
        idempotencyKey: newIdempotencyKey(),
        ...(basedOn !== null && { ifMatch: basedOn }),
      };
      return call(
        CREATE[format] as typeof createPresetFromResponses,
        input as CallInput<typeof createPresetFromResponses>,
      );
    },
    onSuccess: reload(listPresets, getPreset, listPresetVersions),
  });
}

type PresetChange = NonNullable<CallInput<typeof updatePreset>["body"]>;

/** Updates a preset if its revision is unchanged, and caches the result. */
export function useUpdatePreset(address: PresetAddress) {
  const queryClient = useQueryClient();
  return useApiMutation({
    mutationFn: ({ base, body }: { base: Pick<Preset, "revision">; body: PresetChange }) =>
      call(updatePreset, { ...at(address), body, ifMatch: base.revision }),
    onSuccess: (answer: { data: PresetWithVersion }) => {
      queryClient.setQueryData(presetQuery(address).queryKey, answer);
      return invalidate(queryClient, listPresets);
    },
    onError: () => invalidate(queryClient, getPreset),
  });
}

/** Compatibility of a version with active guardrails; null for the live version. */
export const compatibilityQuery = ({ slug, workspace }: PresetAddress, version: number | null) =>
  apiQuery(getPresetCompatibility, {
    params: { slug },
    query: { ...inWorkspace(workspace), ...(version !== null && { version }) },
  });

interface LabelMove {
  base: Pick<Preset, "revision">;
  label: string;
  /** Null to remove the label. */
  version: number | null;
}

/** Sets or removes a label. */
export function useMoveLabel(address: PresetAddress) {
  const queryClient = useQueryClient();
  const { params, query } = at(address);
  return useApiMutation({
    mutationFn: ({ base, label, version }: LabelMove): Promise<{ data: PresetWithVersion }> => {
      const input = { params: { ...params, label }, query, ifMatch: base.revision };
      return version === null ? call(deletePresetLabel, input) : call(setPresetLabel, { ...input, body: { version } });
    },
    onSuccess: (answer) => {
      queryClient.setQueryData(presetQuery(address).queryKey, answer);
      return invalidate(queryClient, listPresets);
    },
    onError: () => invalidate(queryClient, getPreset),
  });
}
