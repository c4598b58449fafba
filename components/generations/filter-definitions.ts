import { useQueries, useQueryClient } from "@tanstack/react-query";
import type { FilterDefinition, FilterOption as Option } from "@/components/layout/filter-definition";
import { call } from "@/lib/browser/api-client";
import { getGuardrail, listGuardrails } from "@/lib/browser/operations/guardrails";
import { getKey, listKeys } from "@/lib/browser/operations/keys";
import { getMember, listMembers } from "@/lib/browser/operations/members";
import { getPreset, listPresets } from "@/lib/browser/operations/presets";
import { getProvider, listProviders } from "@/lib/browser/operations/providers";
import { API_TYPES, DECISION_ACTIONS, GENERATION_STATUSES } from "@/lib/records/generations/vocabulary";
import { BUILTIN_SLUGS } from "@/lib/records/guardrails/vocabulary";
import { PROTOCOL_LABELS } from "./generation-format";
import type { FilterState } from "./generation-list-state";

/** Number of options a filter lists; others are found by search. */
const MOST_FOUND = 50;
const search = (q: string) => ({ limit: MOST_FOUND, ...(q !== "" && { q }) });

const STATUS_LABELS = { succeeded: "Succeeded", failed: "Failed", blocked: "Blocked", cancelled: "Cancelled" } as const;
const ACTION_LABELS = {
  block: "Blocked",
  redact: "Redacted",
  flag: "Flagged",
  exclude: "Endpoint excluded",
  allow: "Allowed by an exception",
  error: "Check unavailable",
} as const;
const FIELDS = [
  "allowed_models",
  "ignored_models",
  "allowed_providers",
  "ignored_providers",
  "allowed_data_regions",
  "content_filter_builtins",
  "content_filters",
  "external_checks",
  "judges",
  "limit_usd",
];

const plain = (values: readonly string[]): Option[] => values.map((value) => ({ value, label: value }));

const LONG = 40;
const shortened = (value: string) => (value.length > LONG ? `${value.slice(0, 12)}…` : value);

/** Adds values from the URL that aren't among the loaded options. */
const including = (options: readonly Option[], chosen: readonly string[]): Option[] => [
  ...options,
  ...chosen
    .filter((value) => !options.some((option) => option.value === value))
    .map((value) => ({ value, label: shortened(value) })),
];

/** Search of a filter's options, and the labels of its selected values. */
const SOURCES = {
  key_hash: {
    find: (q: string) =>
      call(listKeys, { query: { ...search(q), include_disabled: "true" } }).then(({ data }) =>
        data.map(({ hash, name }) => ({ value: hash, label: name })),
      ),
    name: (hash: string) => call(getKey, { params: { hash } }).then(({ data }) => data.name),
  },
  preset: {
    find: (q: string) =>
      call(listPresets, { query: search(q) }).then(({ data }) =>
        data.map(({ slug, name }) => ({ value: slug, label: name })),
      ),
    name: (slug: string) => call(getPreset, { params: { slug } }).then(({ data }) => data.name),
  },
  user_id: {
    find: (q: string) =>
      call(listMembers, { query: search(q) }).then(({ data }) =>
        data.map(({ id, email }) => ({ value: id, label: email })),
      ),
    name: (user_id: string) => call(getMember, { params: { user_id } }).then(({ data }) => data.email),
  },
  guardrail_id: {
    find: (q: string) =>
      call(listGuardrails, { query: search(q) }).then(({ data }) =>
        data.map(({ id, name }) => ({ value: id, label: name })),
      ),
    name: (id: string) => call(getGuardrail, { params: { id } }).then(({ data }) => data.name),
  },
  provider: {
    find: (q: string) =>
      call(listProviders, { query: search(q) }).then(({ data }) =>
        data.map(({ slug, name }) => ({ value: slug, label: name })),
      ),
    name: (slug: string) => call(getProvider, { params: { slug } }).then(({ data }) => data.name),
  },
} as const satisfies Partial<
  Record<keyof FilterState, { find: (q: string) => Promise<Option[]>; name: (value: string) => Promise<string> }>
>;

type Named = keyof typeof SOURCES;

const keyOfName = (filter: Named, value: string) => ["filter-name", filter, value] as const;
const ADMINS: readonly Named[] = ["guardrail_id", "provider", "user_id"];

/** Options of a searchable filter: the selected ones, and a search for others once it is opened. */
function useNamed(state: FilterState, isAdmin: boolean) {
  const client = useQueryClient();
  const filters = (Object.keys(SOURCES) as Named[]).filter((filter) => isAdmin || !ADMINS.includes(filter));
  const chosen = filters.flatMap((filter) => state[filter].map((value) => ({ filter, value })));
  const names = useQueries({
    queries: chosen.map(({ filter, value }) => ({
      queryKey: keyOfName(filter, value),
      queryFn: () => SOURCES[filter].name(value),
      staleTime: Infinity,
      retry: false,
    })),
  });
  return (filter: Named) => ({
    options: chosen.flatMap((one, index) =>
      one.filter === filter ? [{ value: one.value, label: names[index]?.data ?? shortened(one.value) }] : [],
    ),
    find: async (q: string) => {
      const found = await SOURCES[filter].find(q);
      for (const { value, label } of found) client.setQueryData(keyOfName(filter, value), label);
      return found;
    },
  });
}

/** Filters of the log. Those on other people's data are for admins only. */
export function useFilterDefinitions(state: FilterState, isAdmin: boolean): FilterDefinition[] {
  const named = useNamed(state, isAdmin);
  const several = (key: keyof FilterState, label: string, options: readonly Option[]) =>
    ({
      key,
      label,
      kind: "options",
      isMultiple: true,
      options: including(options, [state[key] ?? []].flat()),
    }) as const;
  const found = (key: Named, label: string) =>
    ({ key, label, kind: "options", isMultiple: true, ...named(key) }) as const;
  return [
    several(
      "status",
      "Status",
      GENERATION_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] })),
    ),
    found("key_hash", "Key"),
    ...(isAdmin ? [found("guardrail_id", "Guardrail")] : []),
    several(
      "action",
      "Decision",
      DECISION_ACTIONS.map((value) => ({ value, label: ACTION_LABELS[value] })),
    ),
    several("rule", "Rule", plain([...BUILTIN_SLUGS, ...FIELDS])),
    { key: "model", label: "Model", kind: "text" },
    { key: "tag", label: "Tag", kind: "text" },
    ...(isAdmin ? [found("provider", "Provider"), found("user_id", "Member")] : []),
    found("preset", "Preset"),
    several(
      "protocol",
      "Protocol",
      API_TYPES.map((value) => ({ value, label: PROTOCOL_LABELS[value] })),
    ),
    { key: "min_cost", label: "Cost from", kind: "amount" },
    { key: "max_cost", label: "Cost to", kind: "amount" },
    { key: "session_id", label: "Session", kind: "text" },
    { key: "trace_id", label: "Trace", kind: "text" },
  ];
}
