import { useState } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { Field } from "@/components/form/field";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Input } from "@/components/ui/input";
import { TextLink } from "@/components/ui/text-link";
import { toFailure } from "@/lib/browser/api-failure";
import { useCreateFirstKey, useRotateFirstKey } from "./first-steps-queries";

export interface FirstKey {
  hash: string;
  name: string;
}

interface KeyStepProps {
  /** The existing key, if any. */
  existing: FirstKey | null;
  /** The key itself, while this page still has it. */
  text: string | null;
  onText: (text: string) => void;
}

export function KeyStep({ existing, text, onText }: KeyStepProps) {
  if (text !== null) return <KnownKey text={text} />;
  return existing ? <ExistingKey existing={existing} onText={onText} /> : <NewKey onText={onText} />;
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
      <p className="text-sm text-muted">
        Applications call models with an inference key. Anyone with this key can use it.
      </p>
      <Field label="Key name" errors={isEmpty ? ["Name is required"] : []}>
        {(control) => (
          <Input
            {...control}
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

function KnownKey({ text }: { text: string }) {
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
        It can’t be shown again, because only its hash is stored. This page keeps it until you leave.
      </Alert>
    </div>
  );
}

function ExistingKey({ existing: { hash, name }, onText }: { existing: FirstKey } & Pick<KeyStepProps, "onText">) {
  const renewal = useRotateFirstKey();
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-sm text-muted">
        “<TextLink href={`/keys/${hash}`}>{name}</TextLink>” already exists. The key was shown once and can’t be shown
        again. To send the request in step 4, rotate it. The old key stops working.
      </p>
      {renewal.error && <FailureAlert failure={toFailure(renewal.error)} />}
      <Button
        disabled={renewal.isPending}
        onClick={() => renewal.mutate(hash, { onSuccess: ({ key }) => onText(key) })}
      >
        Rotate key
      </Button>
    </div>
  );
}
