import Link from "next/link";
import { fieldName } from "@/components/generations/decision-text";
import { formatCount } from "@/components/generations/generation-format";
import { logLink, type Counted } from "@/components/generations/log-link";
import { FIELD_LABELS } from "@/components/guardrails/field-labels";
import { Badge } from "@/components/ui/badge";
import { BarList } from "@/components/ui/bar-list";
import { DataTable, type Column } from "@/components/ui/data-table";
import { ruleName } from "@/lib/engine/filters/vocabulary";
import type { Observations } from "@/lib/features/observations/contract";
import { count } from "@/lib/platform/count";

type Rule = Observations["rules"][number];

const WOULD = {
  would_block: "Block",
  would_redact: "Redact",
  would_flag: "Flag",
  would_exclude: "Exclude",
} as const satisfies Record<Rule["action"], string>;
const LABELS: Readonly<Record<string, string>> = FIELD_LABELS;
const MOST_KEYS = 8;

interface ObservedCountsProps {
  guardrailId: string;
  observations: Observations;
}

/** The affected requests by rule and by key, with links to the log. */
export function ObservedCounts({ guardrailId, observations }: ObservedCountsProps) {
  const { from, to, requests, rules, keys } = observations;
  const counted: Counted = { workspace: null, from, to, only: { guardrail_id: guardrailId } };
  if (requests === 0) return <p className="text-muted">Nothing would have been changed in this time.</p>;
  return (
    <>
      <p>{count(requests, "request")} would have been affected.</p>
      <DataTable
        label="Observed rules"
        columns={ruleColumns(counted)}
        rows={rules}
        rowKey={({ field, rule, action }) => `${action} ${field} ${rule}`}
      />
      <section aria-labelledby="observed-keys" className="grid gap-2">
        <h3 id="observed-keys" className="text-[13px] font-medium">
          By key
        </h3>
        <BarList
          label="Observed keys"
          items={keys.slice(0, MOST_KEYS).map(({ key_hash, key_name, requests: sent }) => ({
            label: key_name ?? "Deleted keys",
            value: sent,
            text: formatCount(sent),
            href: key_hash === null ? undefined : logLink(counted, { key_hash, action: Object.keys(WOULD) }),
          }))}
        />
        {keys.length > MOST_KEYS && <p className="text-[13px] text-muted">and {keys.length - MOST_KEYS} more</p>}
      </section>
    </>
  );
}

const ruleColumns = (counted: Counted): Column<Rule>[] => [
  { id: "would", header: "Would", cell: ({ action }) => <Badge>{WOULD[action]}</Badge> },
  {
    id: "rule",
    header: "Rule",
    cell: ({ field, rule, action }) => (
      <span className="wrap-anywhere">
        <Link
          href={logLink(counted, { action, rule: rule ?? field })}
          className="font-medium after:absolute after:inset-0"
        >
          {ruleName({ field, rule }) ?? LABELS[field] ?? field}
        </Link>
        {rule !== null && <span className="text-muted"> ({fieldName(field)})</span>}
      </span>
    ),
  },
  {
    id: "requests",
    header: "Requests",
    align: "right",
    className: "tabular-nums",
    cell: ({ requests }) => formatCount(requests),
  },
  {
    id: "keys",
    header: "Keys",
    align: "right",
    className: "tabular-nums",
    cell: ({ keys }) => formatCount(keys),
  },
];
