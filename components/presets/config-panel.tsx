import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { useUser } from "@/components/session/user-context";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { Skeleton } from "@/components/ui/skeleton";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import type { PresetVersion, PresetWithVersion } from "@/lib/records/presets/contract";
import { ConfigFacts } from "./config-facts";
import { DesignateDialog } from "./designate-dialog";
import { presetVersionQuery, type PresetAddress } from "./preset-queries";
import { PRESET_STATE } from "./preset-state";

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
  const { isAdmin } = useUser();
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
            {isAdmin && other.data && (
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
