import { useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { useState } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { Field } from "@/components/form/field";
import { GenerationStatus } from "@/components/generations/generation-status";
import { Arrow } from "@/components/ui/arrow";
import { Button } from "@/components/ui/button";
import { Textarea } from "@/components/ui/input";
import { LinkButton } from "@/components/ui/link-button";
import { Segmented } from "@/components/ui/segmented";
import { toFailure } from "@/lib/browser/api-failure";
import type { ModelCall } from "@/lib/browser/call-model";
import { FIRST_STEPS_COOKIE, rememberPreference } from "@/lib/browser/preferences";
import type { Generation } from "@/lib/records/generations/contract";
import { recordedQuery, useAsk } from "./first-steps-queries";
import { ruleName } from "@/lib/engine/filters/vocabulary";
import { fieldName } from "@/components/generations/decision-text";

const PROMPTS = {
  card: { label: "Card number", prompt: "Charge the order to my card 4242 4242 4242 4242, please." },
  email: { label: "Email address", prompt: "Write a short note to ada@example.com." },
  harmless: { label: "Harmless text", prompt: "Say hello." },
} as const;
type Sample = keyof typeof PROMPTS;
const SAMPLES = (["card", "email", "harmless"] as const).map((value) => ({ value, label: PROMPTS[value].label }));

interface RequestStepProps {
  keyText: string | null;
  isGuarded: boolean;
}

export function RequestStep({ keyText, isGuarded }: RequestStepProps) {
  const [sample, setSample] = useState<Sample | "">("card");
  const [prompt, setPrompt] = useState<string>(PROMPTS.card.prompt);
  const asking = useAsk();
  const send = () => {
    if (keyText === null) return;
    rememberPreference(FIRST_STEPS_COOKIE, "open");
    asking.mutate({ keyText, prompt });
  };
  const choose = (next: Sample | "") => {
    if (next === "") return;
    setSample(next);
    setPrompt(PROMPTS[next].prompt);
  };
  const missing =
    keyText === null
      ? "Requires the key from step 1."
      : isGuarded
        ? null
        : "No guardrail applies until step 3 is completed.";
  return (
    <div className="grid w-full max-w-2xl justify-items-start gap-3">
      <p className="text-sm text-muted">
        Sends a request to the built-in model sandbox/echo, which repeats its input. It is free.
      </p>
      <Segmented<Sample | "">
        label="Sample prompt"
        value={sample}
        onValueChange={choose}
        options={SAMPLES}
        className="flex-wrap"
      />
      <div className="w-full">
        <Field label="Prompt" hint={missing} errors={[]}>
          {(control) => (
            <Textarea
              {...control}
              rows={2}
              value={prompt}
              onChange={({ target }) => {
                setSample("");
                setPrompt(target.value);
              }}
            />
          )}
        </Field>
      </div>
      <Button variant="primary" disabled={keyText === null || prompt.trim() === "" || asking.isPending} onClick={send}>
        Send request
      </Button>
      {asking.error && <FailureAlert failure={toFailure(asking.error)} />}
      <div role="status" aria-live="polite" className="w-full">
        {asking.data && <Outcome outcome={asking.data} />}
      </div>
    </div>
  );
}

function Outcome({ outcome: { generationId, text, failure } }: { outcome: ModelCall }) {
  if (generationId === null) return failure && <FailureAlert failure={failure} />;
  return (
    <div className="grid gap-2 rounded-lg border bg-subtle p-3 text-sm">
      <Recorded id={generationId} />
      {failure ? <p>Error returned: “{failure.message}”</p> : <p className="break-words">Response: “{text}”</p>}
      <LinkButton className="justify-self-start" href={`/generations/${generationId}`}>
        See why <ArrowRight aria-hidden />
      </LinkButton>
    </div>
  );
}

const HEADLINES = {
  blocked: "Your guardrail blocked this request before it reached the model.",
  succeeded: "The request succeeded.",
  failed: "The request failed.",
  cancelled: "The request was cancelled.",
} as const satisfies Record<Generation["status"], string>;

function Recorded({ id }: { id: string }) {
  const recorded = useQuery(recordedQuery(id));
  if (recorded.isError) return <FailureAlert failure={toFailure(recorded.error)} />;
  if (!recorded.data) return <p className="text-muted">Loading the log entry…</p>;
  const { status, decisions } = recorded.data.data;
  const isRedacted = decisions.some(({ action }) => action === "redact");
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 font-medium">
        <GenerationStatus status={status} />
        {status === "succeeded" && isRedacted
          ? "Your guardrail redacted the request before it reached the model."
          : HEADLINES[status]}
      </p>
      {decisions.length > 0 && (
        <ul aria-label="Decisions" className="list-disc pl-5 text-muted">
          {decisions.map(({ guardrail_name, field, rule, action }) => (
            <li key={`${field} ${rule ?? ""} ${action}`}>
              {guardrail_name ?? "The request"}: {ruleName({ field, rule }) ?? fieldName(field)} <Arrow /> {action}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
