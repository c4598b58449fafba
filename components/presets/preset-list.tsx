"use client";
import { useQuery } from "@tanstack/react-query";
import { Bookmark, Plus } from "lucide-react";
import Link from "next/link";
import { PageHeader } from "@/components/layout/page-header";
import { ResourceList, useListState } from "@/components/layout/resource-list";
import { useMay } from "@/components/session/user-context";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { usePageRouter } from "@/lib/browser/page-router";
import { Arrow } from "@/components/ui/arrow";
import { CopyButton } from "@/components/ui/copy-button";
import type { Column } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import type { PresetEntry } from "@/lib/records/presets/contract";
import { presetPath, withQuery } from "./preset-path";
import { presetListQuery } from "./preset-queries";
import { PRESET_LIST_STATE } from "./preset-state";
import { PresetStatus } from "./preset-status";

const STATUS_FILTER = {
  key: "status",
  label: "Status",
  kind: "options" as const,
  isMultiple: true as const,
  options: [
    { value: "active", label: "Active" },
    { value: "disabled", label: "Disabled" },
    { value: "archived", label: "Archived" },
  ],
};

export function PresetList() {
  const router = usePageRouter();
  const canEdit = useMay("presets:write");
  const { state, list } = useListState(PRESET_LIST_STATE);
  const { workspace } = state;
  const presets = useQuery(presetListQuery(state));
  const createLink = canEdit && (
    <LinkButton variant="primary" href={withQuery("/presets/new", { workspace })}>
      <Plus aria-hidden /> New preset
    </LinkButton>
  );
  return (
    <>
      <PageHeader
        title="Presets"
        description="Named, versioned request settings, used in requests like a model."
        action={createLink}
      />
      <ResourceList
        label="Presets"
        subject="presets"
        query={presets}
        list={list}
        columns={presetColumns(workspace)}
        rowKey={({ id }) => id}
        searchCovers="Search covers slugs, names and descriptions."
        filters={[STATUS_FILTER]}
        onOpen={({ slug }) => router.push(presetPath(slug, workspace))}
        empty={
          <EmptyState icon={Bookmark} title="No presets yet" action={createLink} isHeaderAction>
            {canEdit
              ? "Create a preset from a request body, then use it in requests as @preset/its-slug."
              : "Presets are created by admins and used in requests as @preset/its-slug."}
          </EmptyState>
        }
      />
    </>
  );
}

const presetColumns = (workspace: string | null): Column<PresetEntry>[] => [
  {
    id: "slug",
    header: "Slug",
    sortKey: "slug",
    className: "md:w-[28%]",
    cell: ({ slug }) => (
      <span className="inline-flex max-w-full items-center gap-1">
        <Link
          href={presetPath(slug, workspace)}
          className="min-w-6 truncate font-mono text-[13px] leading-6 font-medium after:absolute after:inset-0"
        >
          {slug}
        </Link>
        <CopyButton
          text={`@preset/${slug}`}
          label={`Copy @preset/${slug}`}
          className="relative z-10 size-6 text-muted"
        />
      </span>
    ),
  },
  {
    id: "name",
    header: "Name",
    sortKey: "name",
    className: "md:w-[26%]",
    cell: ({ name, description }) => (
      <div className="grid gap-0.5">
        <span className="line-clamp-1 break-words">{name}</span>
        {description && <span className="line-clamp-1 text-[13px] break-words text-muted">{description}</span>}
      </div>
    ),
  },
  { id: "status", header: "Status", cell: ({ status }) => <PresetStatus status={status} /> },
  {
    id: "version",
    header: "Version",
    cell: ({ designated_version_number, latest_version_number, labels }) => (
      <div className="grid gap-0.5 tabular-nums">
        <span>
          {designated_version_number} <span className="text-muted">of {latest_version_number}</span>
        </span>
        {Object.entries(labels).map(([label, version]) => (
          <span key={label} className="text-[13px] break-words text-muted">
            <code className="font-mono">{label}</code> <Arrow /> {version}
          </span>
        ))}
      </div>
    ),
  },
  {
    id: "model",
    header: "Model",
    cell: ({ model }) =>
      model === null ? (
        <span className="text-muted">Set by request</span>
      ) : (
        <code className="font-mono text-[13px] break-words">{model}</code>
      ),
  },
  {
    id: "updated_at",
    header: "Updated",
    sortKey: "updated_at",
    cell: ({ updated_at }) => <RelativeTime at={updated_at} />,
  },
  {
    id: "created_at",
    header: "Created",
    sortKey: "created_at",
    isHiddenAtFirst: true,
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
];
