import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { useMay } from "@/components/session/user-context";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { Skeleton } from "@/components/ui/skeleton";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import type { PresetVersion, PresetWithVersion } from "@/lib/records/presets/contract";
import { Badge } from "@/components/ui/badge";
import { DesignateDialog } from "./designate-dialog";
import { presetVersionQuery, type PresetAddress } from "./preset-queries";
import { PRESET_STATE } from "./preset-state";
import { CONFIG_LABELS } from "./config-labels";

interface PanelProps {
  preset: PresetWithVersion;
  address: PresetAddress;
}

const VIEWS = [
  { value: "facts", label: "Settings" },
  { value: "json", label: "JSON" },
] as const;

/** The live version, or the one in the URL. */
export function ConfigPanel({ preset, address }: PanelProps) {
  const [{ version }] = useQueryStates(PRESET_STATE);
  if (version === null || version === preset.designated_version.version)
    return <Version version={preset.designated_version} />;
  return <OtherVersion preset={preset} address={address} version={version} />;
}

function OtherVersion({ preset, address, version }: PanelProps & { version: number }) {
  const canEdit = useMay("presets:write");
  const [, setState] = useQueryStates(PRESET_STATE, { history: "push" });
  const [isAsking, setAsking] = useState(false);
  const other = useQuery(presetVersionQuery(address, version));
  return (
    <div className="grid gap-4">
      <Alert
        kind="info"
        title={`You are viewing version ${version}. Version ${preset.designated_version.version} is live.`}
        action={
          <>
            {canEdit && other.data && (
              <Button size="sm" onClick={() => setAsking(true)}>
                Make version {version} live…
              </Button>
            )}
            <Button size="sm" variant="ghost" onClick={() => void setState({ version: null })}>
              View live version
            </Button>
          </>
        }
      />
      <DataState query={other} subject={`version ${version}`} skeleton={<Skeleton className="h-80 rounded-lg" />}>
        {({ data }) => <Version version={data} />}
      </DataState>
      {other.data && (
        <DesignateDialog
          preset={preset}
          address={address}
          version={isAsking ? version : null}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

function Version({ version: { version, config, system_prompt, message } }: { version: PresetVersion }) {
  const [{ view }, setState] = useQueryStates(PRESET_STATE);
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <Card id="settings" title={`Version ${version}`} description={message}>
        <Tabs
          label="Display configuration as"
          value={view}
          onChange={(value) => void setState({ view: value })}
          items={VIEWS}
        >
          <TabPanel value="facts">
            <ConfigFacts config={config} />
          </TabPanel>
          <TabPanel value="json">
            <CodeBlock label="Configuration" text={JSON.stringify(config, null, 2)} wraps />
          </TabPanel>
        </Tabs>
      </Card>
      <Card id="system-prompt" title="System prompt" description="Prepended to the request's own instructions.">
        {system_prompt === "" ? (
          <p className="text-muted">None. Requests provide their own instructions.</p>
        ) : (
          <CodeBlock label="System prompt text" text={system_prompt} wraps />
        )}
      </Card>
    </div>
  );
}

/** Readable configuration, one row per setting. */
function ConfigFacts({ config }: { config: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(config);
  if (entries.length === 0) return <p className="text-muted">No settings. Requests provide their own.</p>;
  return (
    <dl className="divide-y">
      {entries.map(([name, value]) => (
        <div key={name} className="grid gap-x-6 gap-y-1 py-2.5 first:pt-0 last:pb-0 sm:grid-cols-[13rem_minmax(0,1fr)]">
          <dt className="text-[13px] text-muted" title={name}>
            {CONFIG_LABELS[name] ?? name}
          </dt>
          <dd className="min-w-0 wrap-anywhere">
            <Value value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value }: { value: unknown }) {
  if (typeof value === "string") return <code className="font-mono text-[13px]">{value}</code>;
  if (typeof value === "boolean") return <>{value ? "Yes" : "No"}</>;
  if (typeof value === "number") return <span className="tabular-nums">{value}</span>;
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string")) {
    return (
      <span className="flex flex-wrap gap-1">
        {value.map((entry) => (
          <Badge key={entry} className="font-mono font-normal whitespace-normal text-foreground">
            {entry}
          </Badge>
        ))}
      </span>
    );
  }
  return <pre className="font-mono text-[13px]/5 whitespace-pre-wrap">{JSON.stringify(value, null, 2)}</pre>;
}
