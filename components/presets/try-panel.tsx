import { useQuery } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { Field } from "@/components/form/field";
import { FailureAlert } from "@/components/form/failure-alert";
import { useUser } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Input, Textarea } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { toFailure } from "@/lib/browser/api-failure";
import type { PresetWithVersion } from "@/lib/records/presets/contract";
import { PresetAnswer } from "./preset-answer";
import { presetVersionsQuery, type PresetAddress } from "./preset-queries";
import { useSend, useVerdict, type Attempt } from "./try-queries";
import { Verdict } from "./verdict";

const IN_USE = "in-use";

interface TryPanelProps {
  preset: PresetWithVersion;
  address: PresetAddress;
}

/** Tries a prompt with the preset: checks policy first, then sends it with an inference key. */
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
