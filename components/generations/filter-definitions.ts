import { useQuery } from "@tanstack/react-query";
import type { FilterDefinition } from "@/components/layout/filter-bar";
import { apiQuery } from "@/lib/browser/api-query";
import { listGuardrails, listKeys, listMembers, listPresets, listProviders } from "@/lib/browser/operations";
import { DECISION_ACTIONS, GENERATION_STATUSES } from "@/lib/generations/contract";
import { BUILTIN_SLUGS } from "@/lib/guardrails/contract";
import type { FilterState } from "./generation-list-state";

interface Option {
  value: string;
  label: string;
}

/** Things that a filter offers by name; an address may name others. */
const MOST_OFFERED = 100;
const most = { query: { limit: MOST_OFFERED } };

const STATUS_LABELS = { succeeded: "Succeeded", failed: "Failed", blocked: "Blocked", cancelled: "Cancelled" } as const;
const ACTION_LABELS = { block: "Blocked", redact: "Redacted", flag: "Flagged", exclude: "Excluded an endpoint" } as const;
const FIELDS = ["allowed_models", "ignored_models", "allowed_providers", "ignored_providers", "content_filter_builtins", "content_filters", "limit_usd"];

const plain = (values: readonly string[]): Option[] => values.map((value) => ({ value, label: value }));

const LONG = 40;
const shortened = (value: string) => (value.length > LONG ? `${value.slice(0, 12)}…` : value);

/** Options with those of the address that no list knows. */
const including = (options: readonly Option[], chosen: readonly string[]): Option[] => [
  ...options,
  ...chosen.filter((value) => !options.some((option) => option.value === value)).map((value) => ({ value, label: shortened(value) })),
];

function useNames(isAdmin: boolean) {
  const keys = useQuery({ ...apiQuery(listKeys, { query: { limit: MOST_OFFERED, include_disabled: "true" } }), select: ({ data }) => data.map(({ hash, name }) => ({ value: hash, label: name })) });
  const presets = useQuery({ ...apiQuery(listPresets, most), select: ({ data }) => data.map(({ slug, name }) => ({ value: slug, label: name })) });
  const members = useQuery({ ...apiQuery(listMembers, most), enabled: isAdmin, select: ({ data }) => data.map(({ id, email }) => ({ value: id, label: email })) });
  const guardrails = useQuery({ ...apiQuery(listGuardrails, most), enabled: isAdmin, select: ({ data }) => data.map(({ id, name }) => ({ value: id, label: name })) });
  const providers = useQuery({ ...apiQuery(listProviders, most), enabled: isAdmin, select: ({ data }) => data.map(({ slug, name }) => ({ value: slug, label: name })) });
  return { keys: keys.data ?? [], presets: presets.data ?? [], members: members.data ?? [], guardrails: guardrails.data ?? [], providers: providers.data ?? [] };
}

/** The filters of the log; those about other people are an admin's. */
export function useFilterDefinitions(state: FilterState, isAdmin: boolean): FilterDefinition[] {
  const names = useNames(isAdmin);
  const several = (key: keyof FilterState, label: string, options: readonly Option[]) =>
    ({ key, label, kind: "options", isMultiple: true, options: including(options, [state[key] ?? []].flat()) }) as const;
  return [
    several("status", "Status", GENERATION_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] }))),
    { key: "from", label: "From", kind: "time" },
    { key: "to", label: "To", kind: "time" },
    several("key_hash", "Key", names.keys),
    ...(isAdmin ? [several("guardrail_id", "Guardrail", names.guardrails)] : []),
    several("action", "Decision", DECISION_ACTIONS.map((value) => ({ value, label: ACTION_LABELS[value] }))),
    several("rule", "Rule", plain([...BUILTIN_SLUGS, ...FIELDS])),
    { key: "model", label: "Model", kind: "text" },
    ...(isAdmin ? [several("provider", "Provider", names.providers), several("user_id", "Member", names.members)] : []),
    several("preset", "Preset", names.presets),
    several("protocol", "Protocol", [{ value: "responses", label: "Responses" }, { value: "chat_completions", label: "Chat completions" }]),
    { key: "min_cost", label: "Cost from", kind: "amount" },
    { key: "max_cost", label: "Cost to", kind: "amount" },
    { key: "session_id", label: "Session", kind: "text" },
  ];
}
