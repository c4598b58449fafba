"use client";
import { useQuery } from "@tanstack/react-query";
import { GitCommitVertical, Pencil } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { AuditLink } from "@/components/audit/audit-link";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { useMay } from "@/components/session/user-context";
import { Badge } from "@/components/ui/badge";
import { lazyComponent } from "@/components/ui/lazy-component";
import { LinkButton } from "@/components/ui/link-button";
import { MonoId } from "@/components/ui/mono-id";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import type { PresetWithVersion } from "@/lib/records/presets/contract";
import { Button } from "@/components/ui/button";
import { ConfigPanel } from "./config-panel";
import { withQuery } from "./preset-path";
import { presetQuery, type PresetAddress } from "./preset-queries";
import { PRESET_STATE } from "./preset-state";
import { PresetStatus } from "./preset-status";
import { StatusMenu } from "./status-menu";

const TryPanel = lazyComponent(() => import("./try-panel").then((file) => file.TryPanel), {
  loading: () => <Skeleton className="h-64 rounded-lg" />,
});
const UsePanel = lazyComponent(() => import("./use-panel").then((file) => file.UsePanel), {
  loading: () => <Skeleton className="h-64 rounded-lg" />,
});
const CompatibilityPanel = lazyComponent(
  () => import("./compatibility-panel").then((file) => file.CompatibilityPanel),
  { loading: () => <Skeleton className="h-64 rounded-lg" /> },
);
const VersionsPanel = lazyComponent(() => import("./versions-panel").then((file) => file.VersionsPanel), {
  loading: () => <Skeleton className="h-64 rounded-lg" />,
});

const TABS = [
  { value: "config", label: "Configuration" },
  { value: "versions", label: "Versions" },
  { value: "use", label: "Code" },
  { value: "try", label: "Try it" },
] as const;
const ALL_TABS = [...TABS.slice(0, 2), { value: "guardrails", label: "Guardrails" }, ...TABS.slice(2)] as const;

export function PresetDetail({ slug }: { slug: string }) {
  const canEdit = useMay("presets:write");
  const canSeeGuardrails = useMay("guardrails:read");
  const [{ workspace, tab }, setState] = useQueryStates(PRESET_STATE, { history: "push" });
  const address: PresetAddress = { slug, workspace };
  const preset = useQuery(presetQuery(address));
  const data = preset.data?.data;
  return (
    <>
      <PageHeader
        title={data?.name ?? slug}
        badge={data && <PresetStatus status={data.status} />}
        description={data && <Facts preset={data} />}
        action={data && canEdit && <Actions preset={data} address={address} />}
      />
      <DataState query={preset} subject="this preset" skeleton={<Skeleton className="h-96 rounded-lg" />}>
        {({ data: found }) => (
          <Tabs
            label="Preset"
            value={tab}
            onChange={(value) => void setState({ tab: value })}
            items={canSeeGuardrails ? ALL_TABS : TABS}
          >
            <TabPanel value="config">
              <ConfigPanel preset={found} address={address} />
            </TabPanel>
            <TabPanel value="versions">
              <VersionsPanel preset={found} address={address} />
            </TabPanel>
            {canSeeGuardrails && (
              <TabPanel value="guardrails">
                <CompatibilityPanel preset={found} address={address} />
              </TabPanel>
            )}
            <TabPanel value="use">
              <UsePanel preset={found} />
            </TabPanel>
            <TabPanel value="try">
              <TryPanel preset={found} address={address} />
            </TabPanel>
          </Tabs>
        )}
      </DataState>
    </>
  );
}

function Facts({
  preset: { slug, description, designated_version, labels, updated_at },
}: {
  preset: PresetWithVersion;
}) {
  return (
    <div className="grid gap-1.5">
      {description && <p className="break-words">{description}</p>}
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[13px]">
        <MonoId value={`@preset/${slug}`} name="model name" />
        <span>v{designated_version.version} · Live</span>
        {Object.entries(labels).map(([label, version]) => (
          <span key={label} className="flex items-center gap-1">
            <Badge tone="accent" className="font-mono">
              {label}
            </Badge>
            version {version}
          </span>
        ))}
        <span>
          Updated <RelativeTime at={updated_at} />
        </span>
      </p>
    </div>
  );
}

function Actions({ preset, address }: { preset: PresetWithVersion; address: PresetAddress }) {
  return (
    <>
      <AuditLink type="preset" id={preset.id} />
      <EditPreset preset={preset} address={address} />
      <StatusMenu preset={preset} address={address} />
      <LinkButton
        variant="primary"
        href={withQuery("/presets/new", { workspace: address.workspace, from: preset.slug })}
      >
        <GitCommitVertical aria-hidden /> New version
      </LinkButton>
    </>
  );
}

const EditPresetDialog = lazyComponent(() => import("./edit-preset-dialog").then((file) => file.EditPresetDialog));

function EditPreset(props: { preset: PresetWithVersion; address: PresetAddress }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Pencil aria-hidden /> Edit details
      </Button>
      {isOpen && <EditPresetDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
