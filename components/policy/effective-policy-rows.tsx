import { CHECK_DEFAULTS } from "@/lib/engine/checks/vocabulary";
import type { ReactNode } from "react";
import { BUILTIN_COPY, scopeSuffix } from "@/components/guardrails/filter-options";
import { FIELD_LABELS } from "@/components/guardrails/field-labels";
import { zdrGroups } from "@/components/guardrails/zdr-groups";
import { Badge } from "@/components/ui/badge";
import { formatUsd } from "@/components/ui/usd";
import type { EffectivePolicy } from "@/lib/features/policy-check/contract";
import type { Source } from "@/lib/engine/policy/contract";

type Fields = EffectivePolicy["fields"];

export interface PolicyRow {
  key: string;
  label: string;
  value: ReactNode;
  sources: readonly Source[];
}

const LISTS = [
  "allowed_models",
  "ignored_models",
  "allowed_providers",
  "ignored_providers",
  "allowed_data_regions",
] as const;
const SHOWN = 12;

function Names({ names }: { names: readonly string[] }) {
  return (
    <span className="flex flex-wrap gap-1">
      {names.slice(0, SHOWN).map((name) => (
        <code key={name} className="rounded-sm bg-subtle px-1.5 font-mono text-[13px] break-all">
          {name}
        </code>
      ))}
      {names.length > SHOWN && <span className="text-muted">and {names.length - SHOWN} more</span>}
    </span>
  );
}

const listRows = (fields: Fields): PolicyRow[] =>
  LISTS.flatMap((field) => {
    const { value, sources } = fields[field];
    if (sources.length === 0 || value === null) return [];
    const nothingLeft = <Badge tone="danger">None: the allowlists don't overlap</Badge>;
    return [
      {
        key: field,
        label: FIELD_LABELS[field],
        value: value.length > 0 ? <Names names={value} /> : nothingLeft,
        sources,
      },
    ];
  });

const zdrRows = (fields: Fields, vendors: readonly string[]): PolicyRow[] =>
  zdrGroups(vendors).flatMap(({ field, name }) => {
    const { value, sources } = fields[field];
    return value ? [{ key: field, label: FIELD_LABELS[field], value: <span>Required for {name}</span>, sources }] : [];
  });

const filterRows = (fields: Fields): PolicyRow[] => [
  ...fields.content_filter_builtins.map(({ slug, action, scope, sources }) => ({
    key: `${slug} ${scope} ${action}`,
    label: "Content filter",
    value: (
      <span>
        {BUILTIN_COPY[slug].title}: {action}
        {scopeSuffix(scope)}
      </span>
    ),
    sources,
  })),
  ...fields.content_filters.map(({ pattern, label, action, scope, sources }) => ({
    key: `${pattern} ${scope} ${action}`,
    label: "Content filter",
    value: (
      <span className="wrap-anywhere">
        {label ? `${label} ` : ""}
        <code className="font-mono text-[13px]">{pattern}</code>: {action}
        {scopeSuffix(scope)}
      </span>
    ),
    sources,
  })),
  ...fields.judges.map(({ name, model, instructions, action, scope, sources }) => ({
    key: `${model} ${instructions} ${scope}`,
    label: "Model judge",
    value: (
      <span className="wrap-anywhere">
        {name}: {action}, judged by {model}
        {scopeSuffix(scope)}
      </span>
    ),
    sources,
  })),
  ...fields.external_checks.map(({ name, url, format, scope, timeout_ms, sources }) => ({
    key: `${format} ${url} ${scope}`,
    label: "External check",
    value: (
      <span className="wrap-anywhere">
        {name}: {url}, within {(timeout_ms ?? CHECK_DEFAULTS.timeout_ms) / 1000} s{scopeSuffix(scope)}
      </span>
    ),
    sources,
  })),
];

const budgetRows = (fields: Fields): PolicyRow[] =>
  fields.limit_usd.map(({ limit_usd, reset_interval, counted_per, observed, ...source }) => ({
    key: `budget ${source.scope} ${source.guardrail_id}`,
    label: "Budget",
    value: (
      <span className="tabular-nums">
        {formatUsd(limit_usd)} {reset_interval ?? "total"}, per {counted_per}
        {observed && <span className="text-muted"> (observed, refuses nothing)</span>}
      </span>
    ),
    sources: [source],
  }));

/** One row per restriction, with its sources. */
export const policyRows = (fields: Fields, vendors: readonly string[]): PolicyRow[] => [
  ...listRows(fields),
  ...zdrRows(fields, vendors),
  ...filterRows(fields),
  ...budgetRows(fields),
];
