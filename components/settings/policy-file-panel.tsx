import { Download } from "lucide-react";
import { useSyncExternalStore } from "react";
import { useUser } from "@/components/session/user-context";
import { Alert } from "@/components/ui/alert";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { LinkButton } from "@/components/ui/link-button";
import { TextLink } from "@/components/ui/text-link";

const subscribe = () => () => undefined;

const commandsAt = (origin: string) => `export SIGNALBOX_URL=${origin}
export SIGNALBOX_API_KEY=…              # a management key

npx signalbox export --out policy.yaml  # the policy as it is
npx signalbox plan policy.yaml          # what would change, with lint and impact
npx signalbox apply policy.yaml         # makes it so
npx signalbox test policy.yaml          # runs the policy tests in the file`;

const IN_CI = `npx signalbox test policy.yaml && npx signalbox plan policy.yaml --detect-drift
# 0: the install is what the file says   2: it is not   1: error, or a test failed`;

/** The way from the console to a file under version control, and back. */
export function PolicyFilePanel() {
  const { isAdmin } = useUser();
  const origin = useSyncExternalStore(
    subscribe,
    () => window.location.origin,
    () => "",
  );
  if (!isAdmin) return <Alert kind="info" title="Your role does not include the organization's policy" />;
  return (
    <div className="grid max-w-3xl gap-4">
      <Card
        id="policy-file"
        title="The policy as a file"
        description="Guardrails and who has them, presets, providers, models, limits and tests by name, without secrets. The same policy is always the same file."
        action={
          <LinkButton variant="primary" href="/v1/policy/export?format=yaml" download prefetch={false}>
            <Download aria-hidden /> Download YAML
          </LinkButton>
        }
      >
        <p className="text-[13px] text-muted">
          What is applied from a file stands in the <TextLink href="/audit">audit log</TextLink> like any change, under
          the key that applied it and marked “From a policy file”.
        </p>
      </Card>
      <Card
        id="policy-commands"
        title="Plan and apply it"
        description="In a checkout of Signalbox, with any install that the key opens."
      >
        <CodeBlock label="Commands" text={commandsAt(origin)} />
      </Card>
      <Card
        id="policy-ci"
        title="Check it in a pipeline"
        description="A plan never changes anything; --json makes its answer one document."
      >
        <CodeBlock label="Pipeline" text={IN_CI} />
      </Card>
    </div>
  );
}
