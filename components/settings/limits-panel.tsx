"use client";
import { useQuery } from "@tanstack/react-query";
import { DataState } from "@/components/layout/data-state";
import { DataTable, DataTableSkeleton, type Column } from "@/components/ui/data-table";
import type { Limits } from "@/lib/records/organization/contract";
import { organizationQuery } from "./settings-queries";

interface Limit {
  name: keyof Limits;
  label: string;
  value: string;
}

const number = (value: number) => value.toLocaleString("en");
const perMinute = (value: number) => (value === 0 ? "No limit" : `${number(value)} a minute`);
const milliseconds = (value: number) => (value >= 1000 ? `${number(value / 1000)} s` : `${number(value)} ms`);
const MEBIBYTE = 1024 * 1024;

const limitsOf = (limits: Limits): Limit[] => [
  {
    name: "rate_limit_per_minute",
    label: "Requests of a key or session",
    value: perMinute(limits.rate_limit_per_minute),
  },
  {
    name: "content_reads_per_minute",
    label: "Readings of stored content",
    value: perMinute(limits.content_reads_per_minute),
  },
  { name: "max_body_bytes", label: "Size of a request", value: `${number(limits.max_body_bytes / MEBIBYTE)} MiB` },
  {
    name: "filter_timeout_ms",
    label: "Longest scan by content filters",
    value: milliseconds(limits.filter_timeout_ms),
  },
  { name: "filter_workers", label: "Threads that scan requests", value: number(limits.filter_workers) },
  {
    name: "upstream_connect_timeout_ms",
    label: "Connecting to a provider",
    value: milliseconds(limits.upstream_connect_timeout_ms),
  },
  {
    name: "upstream_first_byte_timeout_ms",
    label: "Until a provider begins to answer",
    value: milliseconds(limits.upstream_first_byte_timeout_ms),
  },
  {
    name: "upstream_idle_timeout_ms",
    label: "Between two parts of an answer",
    value: milliseconds(limits.upstream_idle_timeout_ms),
  },
  {
    name: "allow_private_upstreams",
    label: "Base URLs with private addresses",
    value: limits.allow_private_upstreams ? "Allowed" : "Refused",
  },
  {
    name: "zdr_vendors",
    label: "Vendors with their own zero-data-retention switch",
    value: limits.zdr_vendors.join(", "),
  },
];

const COLUMNS: Column<Limit>[] = [
  { header: "What", className: "md:w-[44%]", cell: ({ label }) => <span className="font-medium">{label}</span> },
  { header: "Value", cell: ({ value }) => <span className="tabular-nums">{value}</span> },
  {
    header: "Set by",
    cell: ({ name }) => <code className="font-mono text-[13px] break-all">SIGNALBOX_{name.toUpperCase()}</code>,
  },
];

export function LimitsPanel() {
  const organization = useQuery(organizationQuery);
  return (
    <div className="grid gap-3">
      <p className="text-muted">
        Of the whole installation. They are read from the server&apos;s environment when it starts, and can&apos;t be
        changed here.
      </p>
      <DataState query={organization} subject="the limits" skeleton={<DataTableSkeleton columns={COLUMNS} rows={10} />}>
        {({ data }) => (
          <DataTable label="Limits" columns={COLUMNS} rows={limitsOf(data.limits)} rowKey={({ name }) => name} />
        )}
      </DataState>
    </div>
  );
}
