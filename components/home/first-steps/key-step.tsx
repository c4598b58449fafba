import { useState } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { Field } from "@/components/form/field";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Input } from "@/components/ui/input";
import { TextLink } from "@/components/ui/text-link";
import { toFailure } from "@/lib/browser/api-failure";
import { useCreateFirstKey, useNewText } from "./first-steps-queries";

export interface FirstKey {
  hash: string;
  name: string;
}

interface KeyStepProps {
  /** The key that stands there already. */
  existing: FirstKey | null;
  /** Its text, while this page knows it. */
  text: string | null;
  onText: (text: string) => void;
}

export function KeyStep({ existing, text, onText }: KeyStepProps) {
  if (text !== null) return <KnownText text={text} />;
  return existing ? <ForgottenText existing={existing} onText={onText} /> : <NewKey onText={onText} />;
}

function NewKey({ onText }: Pick<KeyStepProps, "onText">) {
  const [name, setName] = useState("First key");
  const [isEmpty, setEmpty] = useState(false);
  const creation = useCreateFirstKey();
  return (
    <form
      noValidate
      className="grid w-full max-w-md gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        setEmpty(name.trim() === "");
        if (name.trim() !== "") creation.mutate(name.trim(), { onSuccess: ({ key }) => onText(key) });
      }}
    >
      <p className="text-sm text-muted">Programs call models with an inference key. Who holds it acts in its name.</p>
      <Field label="Key name" errors={isEmpty ? ["Fill this in"] : []}>
        {(wiring) => (
          <Input
            {...wiring}
            autoComplete="off"
            maxLength={200}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      {creation.error && <FailureAlert failure={toFailure(creation.error)} />}
      <Button type="submit" variant="primary" disabled={creation.isPending} className="justify-self-start">
        Create key
      </Button>
    </form>
  );
}

function KnownText({ text }: { text: string }) {
  return (
    <div className="grid w-full max-w-2xl gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Input
          aria-label="Key"
          readOnly
          value={text}
          onFocus={({ target }) => target.select()}
          className="min-w-0 flex-1 basis-64 bg-subtle font-mono text-[13px]"
        />
        <CopyButton text={text} label="Copy key">
          Copy key
        </CopyButton>
      </div>
      <Alert kind="warning" title="Copy the key now if you want to use it elsewhere.">
        It can’t be shown again: only a hash of it is kept. This page remembers it until you leave.
      </Alert>
    </div>
  );
}

function ForgottenText({ existing: { hash, name }, onText }: { existing: FirstKey } & Pick<KeyStepProps, "onText">) {
  const renewal = useNewText();
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-sm text-muted">
        “<TextLink href={`/keys/${hash}`}>{name}</TextLink>” exists. Its text was shown once and can’t be shown again.
        To send the request of step 4, give it a new text; the old one stops working.
      </p>
      {renewal.error && <FailureAlert failure={toFailure(renewal.error)} />}
      <Button
        disabled={renewal.isPending}
        onClick={() => renewal.mutate(hash, { onSuccess: ({ key }) => onText(key) })}
      >
        Give it a new text
      </Button>
    </div>
  );
}
