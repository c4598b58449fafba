import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Field } from "@/components/form/field";
import { FailureAlert } from "@/components/form/failure-alert";
import { useMay } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Textarea } from "@/components/ui/input";
import { LinkButton } from "@/components/ui/link-button";
import { Select } from "@/components/ui/select";
import { toFailure } from "@/lib/browser/api-failure";
import type { PresetWithVersion } from "@/lib/records/presets/contract";
import { CodeBlock } from "@/components/ui/code-block";
import { call } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { checkPolicy } from "@/lib/browser/operations/policy-check";
import { Badge, type Tone } from "@/components/ui/badge";
import type { PolicyCheck } from "@/lib/features/policy-check/contract";
import { ruleName } from "@/lib/engine/filters/vocabulary";
import { presetVersionsQuery, type PresetAddress } from "./preset-queries";

const IN_USE = "in-use";

interface TryPanelProps {
  preset: PresetWithVersion;
  address: PresetAddress;
}

/** Checks a prompt with the preset against policy, and leads to the playground, which sends it. */
export function TryPanel({ preset, address }: TryPanelProps) {
  const canCheck = useMay("guardrails:read");
  const [version, setVersion] = useState(IN_USE);
  const [input, setInput] = useState("");
  const verdict = useVerdict(preset.workspace_id);
  const total = useQuery(presetVersionsQuery(address, 0)).data?.total_count ?? preset.designated_version.version;
  const model = version === IN_USE ? `@preset/${preset.slug}` : `@preset/${preset.slug}@${version}`;
  const options = [
    { value: IN_USE, label: `Live (version ${preset.designated_version.version})` },
    ...Array.from({ length: total }, (_, index) => ({
      value: String(total - index),
      label: `Version ${total - index}`,
    })),
  ];
  const playground = new URLSearchParams({ model, workspace: preset.workspace_id });
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card
        id="try"
        title="Try it"
        description={
          canCheck ? "Checking policy calls no model and isn’t logged." : "The playground sends prompts with your key."
        }
        action={<LinkButton href={`/playground?${playground}`}>Open in playground</LinkButton>}
      >
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (canCheck && input !== "") verdict.mutate({ model, input });
          }}
          className="grid gap-4"
        >
          <Field label="Version" errors={[]}>
            {(control) => <Select {...control} value={version} onValueChange={setVersion} options={options} />}
          </Field>
          {canCheck && (
            <>
              <Field label="Prompt" errors={[]}>
                {(control) => (
                  <Textarea {...control} rows={5} value={input} onChange={(event) => setInput(event.target.value)} />
                )}
              </Field>
              <Button type="submit" className="justify-self-start" disabled={input === "" || verdict.isPending}>
                Check policy
              </Button>
            </>
          )}
        </form>
      </Card>
      <div aria-live="polite" className="grid min-w-0 gap-4">
        {verdict.error && <FailureAlert failure={toFailure(verdict.error)} />}
        {verdict.data && <Verdict check={verdict.data.data} />}
      </div>
    </div>
  );
}

interface Attempt {
  /** `@preset/<slug>`, optionally pinned. */
  model: string;
  input: string;
}

/** Policy check of the request, without calling a model. */
const useVerdict = (workspaceId: string) =>
  useApiMutation({
    mutationFn: (request: Attempt) =>
      call(checkPolicy, { body: { request: { ...request }, protocol: "responses", workspace_id: workspaceId } }),
  });

const OUTCOMES: Readonly<Record<PolicyCheck["outcome"], { label: string; tone: Tone }>> = {
  allowed: { label: "Allowed", tone: "success" },
  redacted: { label: "Allowed, redacted", tone: "warning" },
  flagged: { label: "Allowed, flagged", tone: "warning" },
  blocked: { label: "Blocked", tone: "danger" },
  no_endpoint: { label: "No endpoint available", tone: "danger" },
  budget_exhausted: { label: "Budget exhausted", tone: "danger" },
};

/** Policy outcome for a request, and the request to the first upstream. */
function Verdict({ check: { outcome, message, decisions, candidates, request } }: { check: PolicyCheck }) {
  const { label, tone } = OUTCOMES[outcome];
  return (
    <Card id="verdict" title="Policy check" action={<Badge tone={tone}>{label}</Badge>} className="grid gap-4">
      {message && <p>{message}</p>}
      {decisions.length > 0 && (
        <ul aria-label="Decisions" className="grid gap-1 text-[13px]">
          {decisions.map(({ guardrail_name, field, rule, action }, index) => (
            <li key={index}>
              <span className="font-medium">{guardrail_name ?? "The request itself"}</span>: {action} by{" "}
              {ruleName({ field, rule }) ?? field}
            </li>
          ))}
        </ul>
      )}
      <section aria-labelledby="verdict-candidates" className="grid gap-1.5">
        <h3 id="verdict-candidates" className="text-[13px] font-medium">
          Candidate endpoints, in order
        </h3>
        {candidates.length === 0 && <p className="text-[13px] text-muted">No endpoint serves the requested models.</p>}
        <ol className="grid gap-1 text-[13px]">
          {candidates.map(({ model, provider, included, excluded_by }) => (
            <li key={`${provider} ${model}`} className={included ? undefined : "text-muted"}>
              <code className="font-mono">{model}</code> at {provider}
              {!included && ` – excluded by ${[...new Set(excluded_by.map(({ field }) => field))].join(", ")}`}
            </li>
          ))}
        </ol>
      </section>
      {request && <CodeBlock label="Merged request" text={JSON.stringify(request, null, 2)} wraps />}
    </Card>
  );
}
