import { useId } from "react";
import { Alert } from "@/components/ui/alert";
import { CopyButton } from "@/components/ui/copy-button";
import { StoredButton } from "@/components/ui/stored-button";
import { UnsavedGuard } from "@/components/form/unsaved-guard";

/** Shows a new signing secret, which can't be shown again. */
export function WebhookSecret({ secret, onStored }: { secret: string; onStored: () => void }) {
  const id = useId();
  return (
    <div className="grid gap-4">
      <div className="grid gap-1.5">
        <label htmlFor={id} className="text-[13px] font-medium">
          Signing secret
        </label>
        <textarea
          id={id}
          readOnly
          rows={2}
          value={secret}
          onFocus={(event) => event.target.select()}
          className="w-full resize-none rounded-md border bg-subtle px-2.5 py-2 font-mono text-[13px] break-all"
        />
      </div>
      <Alert kind="warning" title="This secret won't be shown again">
        Use it to verify event signatures with any Standard Webhooks library. If you lose it, rotate it.
      </Alert>
      <div className="flex flex-wrap justify-end gap-2">
        <CopyButton text={secret} label="Copy secret">
          Copy secret
        </CopyButton>
        <StoredButton onStored={onStored}>I have stored it</StoredButton>
      </div>
      <UnsavedGuard isDirty />
    </div>
  );
}
