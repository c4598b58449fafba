"use client";
import { useQuery } from "@tanstack/react-query";
import { Bookmark } from "lucide-react";
import Link from "next/link";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { Pager, useOffset } from "@/components/layout/pager";
import { CodeBlock } from "@/components/ui/code-block";
import { DataTable, DataTableSkeleton, type Column } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { MonoId } from "@/components/ui/mono-id";
import { RelativeTime } from "@/components/ui/relative-time";
import { createPresetFromResponses, type Preset } from "@/lib/presets/contract";
import { presetListQuery } from "./preset-queries";
import { PresetStatus } from "./preset-status";

const COLUMNS: Column<Preset>[] = [
  {
    header: "Name",
    className: "md:w-[36%]",
    cell: ({ slug, name, description }) => (
      <div className="grid gap-0.5">
        <Link href={`/presets/${slug}`} className="line-clamp-2 font-medium break-words after:absolute after:inset-0">
          {name}
        </Link>
        {description && <span className="line-clamp-1 text-[13px] break-words text-muted">{description}</span>}
      </div>
    ),
  },
  { header: "Use as model", cell: ({ slug }) => <MonoId value={`@preset/${slug}`} name="model name" /> },
  { header: "Status", cell: ({ status }) => <PresetStatus status={status} /> },
  { header: "Changed", cell: ({ updated_at }) => <RelativeTime at={updated_at} /> },
];

const exampleRequest = () =>
  [
    `curl ${window.location.origin}/v1/presets/my-preset/responses \\`,
    `  -H "Authorization: Bearer $SIGNALBOX_MANAGEMENT_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify(createPresetFromResponses.example?.body)}'`,
  ].join("\n");

export function PresetList() {
  const [offset] = useOffset();
  const presets = useQuery(presetListQuery(offset));
  return (
    <>
      <PageHeader title="Presets" description="Named, versioned request settings that requests refer to as a model." />
      <DataState query={presets} subject="the presets" skeleton={<DataTableSkeleton columns={COLUMNS} />}>
        {({ data, total_count }) =>
          total_count === 0 ? (
            <EmptyState icon={Bookmark} title="No presets yet">
              <div className="grid gap-3">
                <p>Send a request body to the preset&apos;s own address. What belongs to a preset is kept as its first version.</p>
                <CodeBlock label="Example request" text={exampleRequest()} className="w-full text-left" wraps />
              </div>
            </EmptyState>
          ) : (
            <>
              <DataTable label="Presets" columns={COLUMNS} rows={data} rowKey={({ id }) => id} />
              <Pager total={total_count} shown={data.length} />
            </>
          )
        }
      </DataState>
    </>
  );
}
