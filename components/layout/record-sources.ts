import { memberOption } from "@/components/members/member-name";
import { call } from "@/lib/browser/api-client";
import type { Transport } from "@/lib/browser/api-query";
import { getGuardrail, listGuardrails } from "@/lib/browser/operations/guardrails";
import { getKey, listKeys } from "@/lib/browser/operations/keys";
import { getMember, listMembers } from "@/lib/browser/operations/members";
import { getPreset, listPresets } from "@/lib/browser/operations/presets";
import { getProvider, listProviders } from "@/lib/browser/operations/providers";
import type { FilterOption } from "./filter-definition";

/** Number of listed records; search finds the others. */
const MOST_FOUND = 50;
export const foundBy = (q: string) => ({ limit: MOST_FOUND, ...(q !== "" && { q }) });

export interface RecordSource {
  /** Distinguishes it from other sources. */
  id: string;
  find: (q: string, workspace?: string | null) => Promise<FilterOption[]>;
  name: (value: string, send: Transport) => Promise<string>;
}

/** Searches the organization's records, and returns the label of one. */
export const RECORD_SOURCES = {
  key_hash: {
    id: "key_hash",
    find: (q: string) =>
      call(listKeys, { query: { ...foundBy(q), include_disabled: "true" } }).then(({ data }) =>
        data.map(({ hash, name }) => ({ value: hash, label: name })),
      ),
    name: (hash: string, send: Transport) => send(getKey, { params: { hash } }).then(({ data }) => data.name),
  },
  preset: {
    id: "preset",
    find: (q: string) =>
      call(listPresets, { query: foundBy(q) }).then(({ data }) =>
        data.map(({ slug, name }) => ({ value: slug, label: name })),
      ),
    name: (slug: string, send: Transport) => send(getPreset, { params: { slug } }).then(({ data }) => data.name),
  },
  user_id: {
    id: "user_id",
    find: (q: string) =>
      call(listMembers, { query: foundBy(q) }).then(({ data }) =>
        data.map((member) => ({ value: member.id, label: memberOption(member) })),
      ),
    name: (user_id: string, send: Transport) =>
      send(getMember, { params: { user_id } }).then(({ data }) => memberOption(data)),
  },
  guardrail_id: {
    id: "guardrail_id",
    find: (q: string, workspace: string | null = null) =>
      call(listGuardrails, { query: { ...foundBy(q), workspace_id: workspace ?? "all" } }).then(({ data }) =>
        data.map(({ id, name }) => ({ value: id, label: name })),
      ),
    name: (id: string, send: Transport) => send(getGuardrail, { params: { id } }).then(({ data }) => data.name),
  },
  provider: {
    id: "provider",
    find: (q: string) =>
      call(listProviders, { query: foundBy(q) }).then(({ data }) =>
        data.map(({ slug, name }) => ({ value: slug, label: name })),
      ),
    name: (slug: string, send: Transport) => send(getProvider, { params: { slug } }).then(({ data }) => data.name),
  },
} as const satisfies Record<string, RecordSource>;
