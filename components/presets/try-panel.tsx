import { useQuery } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { Field } from "@/components/form/field";
import { FailureAlert } from "@/components/form/failure-alert";
import { useUser } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Input, Textarea } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { toFailure, failureOf, noResponse } from "@/lib/browser/api-failure";
import type { PresetWithVersion } from "@/lib/records/presets/contract";
import { CodeBlock } from "@/components/ui/code-block";
import { Facts } from "@/components/ui/facts";
import { TextLink } from "@/components/ui/text-link";
import type { ResponseObject } from "@/lib/engine/protocols/contracts/responses-result-contract";
import { call, requestOf, type Answer } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { createResponse } from "@/lib/browser/operations/gateway";
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

/** Tries a prompt with the preset: checks policy first, then sends the prompt with an inference key. */
export function TryPanel({ preset, address }: TryPanelProps) {
  const { isAdmin } = useUser();
  const [version, setVersion] = useState(IN_USE);
  const [input, setInput] = useState("");
  const [key, setKey] = useState("");
  const verdict = useVerdict(preset.workspace_id);
  const sending = useSend();
  const total = useQuery(presetVersionsQuery(address, 0)).data?.total_count ?? preset.designated_version.version;
  const request: Attempt = {
    model: version === IN_USE ? `@preset/${preset.slug}` : `@preset/${preset.slug}@${version}`,
    input,
  };
  const options = [
    { value: IN_USE, label: `Live (version ${preset.designated_version.version})` },
    ...Array.from({ length: total }, (_, index) => ({
      value: String(total - index),
      label: `Version ${total - index}`,
    })),
  ];
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    if (key !== "" && input !== "") sending.mutate({ key, request });
  };
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card id="try" title="Try it" description="Checking policy is free. Sending calls the model and is logged.">
        <form noValidate onSubmit={send} className="grid gap-4">
          <Field label="Version" errors={[]}>
            {(control) => <Select {...control} value={version} onValueChange={setVersion} options={options} />}
          </Field>
          <Field label="Prompt" errors={[]}>
            {(control) => (
              <Textarea {...control} rows={5} value={input} onChange={(event) => setInput(event.target.value)} />
            )}
          </Field>
          {isAdmin && (
            <Button
              className="justify-self-start"
              disabled={input === "" || verdict.isPending}
              onClick={() => verdict.mutate(request)}
            >
              Check policy
            </Button>
          )}
          <div className="grid gap-3 border-t pt-4">
            <Field label="Inference key" hint="Only kept on this page." errors={[]}>
              {(control) => (
                <Input
                  {...control}
                  type="password"
                  autoComplete="off"
                  className="font-mono"
                  placeholder="sb-key-v1-…"
                  value={key}
                  onChange={(event) => setKey(event.target.value.trim())}
                />
              )}
            </Field>
            <Button
              type="submit"
              variant="primary"
              className="justify-self-start"
              disabled={input === "" || key === "" || sending.isPending}
            >
              Send request
            </Button>
          </div>
        </form>
      </Card>
      <div aria-live="polite" className="grid min-w-0 gap-4">
        {verdict.error && <FailureAlert failure={toFailure(verdict.error)} />}
        {verdict.data && <Verdict check={verdict.data.data} />}
        {sending.isPending && <p className="text-muted">Waiting for the response…</p>}
        {sending.error && <FailureAlert failure={toFailure(sending.error)} />}
        {sending.data && <PresetAnswer answer={sending.data} />}
      </div>
    </div>
  );
}

/** The response, with a link to its generation. */
function PresetAnswer({ answer: { id, model, status, output_text, usage } }: { answer: ResponseObject }) {
  return (
    <Card
      id="answer"
      title="Response"
      action={<TextLink href={`/generations/${id}`}>Open generation</TextLink>}
      className="grid gap-3"
    >
      <CodeBlock label="Response text" text={output_text} wraps />
      <Facts
        facts={[
          { term: "Model", value: model },
          { term: "Status", value: status },
          { term: "Tokens", value: usage && `${usage.input_tokens} in, ${usage.output_tokens} out` },
        ]}
      />
    </Card>
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

/** Sends the request with an inference key and without this browser's session, like an application. */
const useSend = () =>
  useApiMutation({
    mutationFn: async ({ key, request }: { key: string; request: Attempt }): Promise<Answer<typeof createResponse>> => {
      const { url, init } = requestOf(createResponse, { body: { ...request } });
      const headers = new Headers(init.headers);
      headers.set("authorization", `Bearer ${key}`);
      const response = await fetch(url, { ...init, headers, credentials: "omit" }).catch(() => {
        throw noResponse();
      });
      if (!response.ok) throw await failureOf(response);
      return (await response.json()) as Answer<typeof createResponse>;
    },
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
