import { Alert } from "@/components/ui/alert";
import { CopyButton } from "@/components/ui/copy-button";
import { OneTimeText } from "@/components/ui/one-time-text";
import { StoredButton } from "@/components/ui/stored-button";
import { UnsavedGuard } from "@/components/form/unsaved-guard";

/** Shows a new signing secret, which can't be shown again. */
export function WebhookSecret({ secret, onStored }: { secret: string; onStored: () => void }) {
  return (
    <div className="grid gap-4">
      <OneTimeText label="Signing secret" text={secret} />
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
