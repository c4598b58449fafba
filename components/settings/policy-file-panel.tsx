import { Download } from "lucide-react";
import { useSyncExternalStore } from "react";
import { useMay } from "@/components/session/user-context";
import { Alert } from "@/components/ui/alert";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { LinkButton } from "@/components/ui/link-button";
import { TextLink } from "@/components/ui/text-link";
import { exportPolicy } from "@/lib/browser/operations/policy-file";

const subscribe = () => () => undefined;

const commandsAt = (origin: string) => `export SIGNALBOX_URL=${origin}
export SIGNALBOX_API_KEY=…              # a management key

node lib/cli/signalbox.mjs export --out policy.yaml  # exports the current policy
node lib/cli/signalbox.mjs plan policy.yaml          # shows changes, lint findings and impact
node lib/cli/signalbox.mjs apply policy.yaml         # applies the changes
node lib/cli/signalbox.mjs test policy.yaml          # runs the policy tests of the file`;

const IN_CI = `node lib/cli/signalbox.mjs test policy.yaml && node lib/cli/signalbox.mjs plan policy.yaml --detect-drift
# Exit code 0: in sync, 1: error or failed test, 2: drift`;

/** Export of the policy file, and the commands to plan and apply it. */
export function PolicyFilePanel() {
  const canExport = useMay(exportPolicy);
  const origin = useSyncExternalStore(
    subscribe,
    () => window.location.origin,
    () => "",
  );
  if (!canExport) return <Alert kind="info" title="You don't have access to the organization's policy" />;
  return (
    <div className="grid max-w-3xl gap-4">
      <Card
        id="policy-file"
        title="Policy file"
        description="Guardrails, assignments, presets, providers, models, limits and tests, by name and without secrets. The output is deterministic."
        action={
          <LinkButton variant="primary" href="/v1/policy/export?format=yaml" download prefetch={false}>
            <Download aria-hidden /> Download YAML
          </LinkButton>
        }
      >
        <p className="text-[13px] text-muted">
          Changes applied from a file appear in the <TextLink href="/audit">audit log</TextLink> under the key that
          applied them, with source “Policy file”.
        </p>
      </Card>
      <Card
        id="policy-commands"
        title="Plan and apply"
        description="Run from a Signalbox checkout, against any installation the key has access to."
      >
        <CodeBlock label="Commands" text={commandsAt(origin)} />
      </Card>
      <Card
        id="policy-ci"
        title="Check in CI"
        description="Planning never changes anything. Use --json for machine-readable output."
      >
        <CodeBlock label="Pipeline" text={IN_CI} />
      </Card>
    </div>
  );
}
