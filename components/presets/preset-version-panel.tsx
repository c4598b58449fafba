"use client";
import { toast } from "sonner";
import { useUser } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { toFailure } from "@/lib/browser/api-failure";
import type { Preset, PresetVersion } from "@/lib/presets/contract";
import { useUpdatePreset } from "./preset-queries";

interface PresetVersionPanelProps {
  preset: Preset;
  version: PresetVersion;
}

export function PresetVersionPanel({ preset, version }: PresetVersionPanelProps) {
  const { isAdmin } = useUser();
  const change = useUpdatePreset(preset);
  const isDesignated = version.id === preset.designated_version_id;
  const designate = () =>
    change.mutate(
      { designated_version: version.version },
      {
        onSuccess: () => toast.success(`Requests use version ${version.version} from now on`),
        onError: (error) => toast.error("The version was not designated", { description: toFailure(error).message }),
      },
    );
  return (
    <div className="grid gap-4">
      <Card
        id="settings"
        title={`Version ${version.version}: settings`}
        action={
          isAdmin &&
          !isDesignated && (
            <Button size="sm" disabled={change.isPending} onClick={designate}>
              Designate version {version.version}
            </Button>
          )
        }
        className="grid gap-4"
      >
        <Settings config={version.config} />
      </Card>
      <Card id="system-prompt" title="System prompt">
        {version.system_prompt === "" ? (
          <p className="text-muted">None. Requests bring their own instructions.</p>
        ) : (
          <CodeBlock label="System prompt" text={version.system_prompt} wraps />
        )}
      </Card>
      <Card id="json" title="As JSON">
        <CodeBlock label="Configuration" text={JSON.stringify(version.config, null, 2)} />
      </Card>
    </div>
  );
}

const inWords = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

function Settings({ config }: { config: PresetVersion["config"] }) {
  const entries = Object.entries(config);
  if (entries.length === 0) return <p className="text-muted">None: requests bring all of their own.</p>;
  return (
    <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[12rem_minmax(0,1fr)]">
      {entries.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="font-mono text-[13px] text-muted">{name}</dt>
          <dd className="mb-1 font-mono text-[13px] wrap-anywhere sm:mb-0">{inWords(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
