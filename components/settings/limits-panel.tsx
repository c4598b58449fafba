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
const perMinute = (value: number) => (value === 0 ? "No limit" : `${number(value)} per minute`);
const milliseconds = (value: number) => (value >= 1000 ? `${number(value / 1000)} s` : `${number(value)} ms`);
const MEBIBYTE = 1024 * 1024;

const limitsOf = (limits: Limits): Limit[] => [
  {
    name: "rate_limit_per_minute",
    label: "Requests per key or session",
    value: perMinute(limits.rate_limit_per_minute),
  },
  {
    name: "content_reads_per_minute",
    label: "Content access",
    value: perMinute(limits.content_reads_per_minute),
  },
  { name: "max_body_bytes", label: "Request body size", value: `${number(limits.max_body_bytes / MEBIBYTE)} MiB` },
  {
    name: "filter_timeout_ms",
    label: "Content filter timeout",
    value: milliseconds(limits.filter_timeout_ms),
  },
  { name: "filter_workers", label: "Content filter worker threads", value: number(limits.filter_workers) },
  {
    name: "upstream_connect_timeout_ms",
    label: "Connect timeout",
    value: milliseconds(limits.upstream_connect_timeout_ms),
  },
  {
    name: "upstream_first_byte_timeout_ms",
    label: "Time-to-first-byte timeout",
    value: milliseconds(limits.upstream_first_byte_timeout_ms),
  },
  {
    name: "upstream_idle_timeout_ms",
    label: "Idle timeout",
    value: milliseconds(limits.upstream_idle_timeout_ms),
  },
  {
    name: "allow_private_upstreams",
    label: "Private IP addresses in base URLs",
    value: limits.allow_private_upstreams ? "Allowed" : "Blocked",
  },
  {
    name: "zdr_vendors",
    label: "Vendors with a separate zero data retention setting",
    value: limits.zdr_vendors.join(", "),
  },
];

const COLUMNS: Column<Limit>[] = [
  {
    id: "limit",
    header: "Limit",
    className: "md:w-[44%]",
    cell: ({ label }) => <span className="font-medium">{label}</span>,
  },
  { id: "value", header: "Value", cell: ({ value }) => <span className="tabular-nums">{value}</span> },
  {
    id: "environment_variable",
    header: "Environment variable",
    cell: ({ name }) => <code className="font-mono text-[13px] break-all">SIGNALBOX_{name.toUpperCase()}</code>,
  },
];

export function LimitsPanel() {
  const organization = useQuery(organizationQuery);
  return (
    <div className="grid gap-3">
      <p className="text-muted">
        Limits of this installation, set through environment variables. Changes require a restart.
      </p>
      <DataState query={organization} subject="limits" skeleton={<DataTableSkeleton columns={COLUMNS} rows={10} />}>
        {({ data }) => (
          <DataTable label="Limits" columns={COLUMNS} rows={limitsOf(data.limits)} rowKey={({ name }) => name} />
        )}
      </DataState>
    </div>
  );
}
