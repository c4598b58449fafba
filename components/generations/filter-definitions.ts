import { useQueries, useQueryClient } from "@tanstack/react-query";
import { findTags } from "@/components/tags/find-tags";
import type { FilterDefinition, FilterOption as Option } from "@/components/layout/filter-definition";
import { findRecords } from "@/components/layout/record-names";
import { foundBy } from "@/components/layout/record-sources";
import { call } from "@/lib/browser/api-client";
import { listModels } from "@/lib/browser/operations/models";
import { LIMIT_FIELDS } from "@/lib/engine/budgets/vocabulary";
import { API_TYPES } from "@/lib/engine/protocols/vocabulary";
import { DECISION_ACTIONS, GENERATION_STATUSES } from "@/lib/records/generations/vocabulary";
import { BUILTIN_NAMES, BUILTIN_SLUGS } from "@/lib/engine/filters/vocabulary";
import { PROTOCOL_LABELS } from "./generation-format";
import { chosenRecords, NAMED, nameQuery, type Named } from "./filter-names";
import type { FilterState } from "./generation-list-state";

const STATUS_LABELS = { succeeded: "Succeeded", failed: "Failed", blocked: "Blocked", cancelled: "Cancelled" } as const;
const ACTION_LABELS = {
  block: "Blocked",
  redact: "Redacted",
  flag: "Flagged",
  exclude: "Endpoint excluded",
  allow: "Allowed by an exception",
  error: "Check unavailable",
  would_block: "Would block",
  would_redact: "Would redact",
  would_flag: "Would flag",
  would_exclude: "Would exclude an endpoint",
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
  ...Object.values(LIMIT_FIELDS),
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

/** Options whose values are their labels. Other values can be typed: the log has models that the catalogue no longer lists. */
const TEXT_SOURCES = {
  model: (q: string) => call(listModels, { query: foundBy(q) }).then(({ data }) => plain(data.map(({ slug }) => slug))),
  tag: findTags,
};

/** Options of a searchable filter: the selected ones, and a search for others once it is opened. */
function useNamed(state: FilterState, seesAll: boolean) {
  const client = useQueryClient();
  const chosen = chosenRecords(state, seesAll);
  const names = useQueries({ queries: chosen.map(nameQuery) });
  return (filter: Named) => ({
    options: chosen.flatMap((one, index) =>
      one.filter === filter ? [{ value: one.value, label: names[index]?.data ?? shortened(one.value) }] : [],
    ),
    find: (q: string) => findRecords(client, NAMED[filter], q),
  });
}

/** Filters of the log. Filters by other people's data are for admins only. */
export function useFilterDefinitions(state: FilterState, seesAll: boolean): FilterDefinition[] {
  const named = useNamed(state, seesAll);
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
  const open = (key: keyof typeof TEXT_SOURCES, label: string) =>
    ({ ...several(key, label, []), find: TEXT_SOURCES[key], allowsCustom: true }) as const;
  return [
    several(
      "status",
      "Status",
      GENERATION_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] })),
    ),
    open("model", "Model"),
    found("key_hash", "Key"),
    ...(seesAll ? [found("guardrail_id", "Guardrail"), found("blocked_by", "Blocked by")] : []),
    several(
      "action",
      "Decision",
      DECISION_ACTIONS.map((value) => ({ value, label: ACTION_LABELS[value] })),
    ),
    several("rule", "Rule", [
      ...BUILTIN_SLUGS.map((value) => ({ value, label: BUILTIN_NAMES[value] })),
      ...plain(FIELDS),
    ]),
    open("tag", "Tag"),
    ...(seesAll ? [found("provider", "Provider"), found("user_id", "Member")] : []),
    found("preset", "Preset"),
    several(
      "protocol",
      "Protocol",
      API_TYPES.map((value) => ({ value, label: PROTOCOL_LABELS[value] })),
    ),
    { key: "min_cost", label: "Cost from", kind: "amount" },
    { key: "max_cost", label: "Cost to", kind: "amount" },
    { key: "end_user", label: "End user", kind: "text" },
    { key: "app", label: "Application", kind: "text" },
    { key: "request_id", label: "Request ID", kind: "text" },
    { key: "session_id", label: "Session", kind: "text" },
    { key: "trace_id", label: "Trace", kind: "text" },
  ];
}
