"use client";
import { useState } from "react";
import { useForm } from "react-hook-form";
import type { z } from "zod";
import { DateTimeField } from "@/components/form/date-time-field";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { TextField } from "@/components/form/text-field";
import { UnsavedGuard } from "@/components/form/unsaved-guard";
import { Alert } from "@/components/ui/alert";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { OneTimeText } from "@/components/ui/one-time-text";
import { StoredButton } from "@/components/ui/stored-button";
import { CreateScimTokenBody } from "@/lib/records/scim-tokens/contract";
import { useCreateToken } from "./directory-queries";

const checkBody = formResolver(CreateScimTokenBody);

interface Created {
  name: string;
  token: string;
}

/** Two steps: name and expiry, then the token, which must be confirmed as stored before closing. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<Created | null>(null);
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && created === null && onClose()}
      isDismissible={created === null}
      title={created ? `“${created.name}” created` : "New SCIM token"}
      description={
        created ? "Copy the token now. It can't be shown again." : "The token is shown only once, right after creation."
      }
    >
      {created ? (
        <div className="grid min-w-0 gap-4">
          <OneTimeText label="Token" text={created.token} />
          <Alert kind="warning" title="Only a hash of this token is stored">
            Enter it as the secret or bearer token in your identity provider. Anyone with it can add and deactivate
            members.
          </Alert>
          <DialogActions>
            <CopyButton text={created.token} label="Copy token">
              Copy token
            </CopyButton>
            <StoredButton onStored={onClose}>I have stored it</StoredButton>
          </DialogActions>
          <UnsavedGuard isDirty />
        </div>
      ) : (
        <TokenForm onCreated={setCreated} onCancel={onClose} />
      )}
    </Dialog>
  );
}

function TokenForm({ onCreated, onCancel }: { onCreated: (created: Created) => void; onCancel: () => void }) {
  const creation = useCreateToken();
  const form = useForm<z.input<typeof CreateScimTokenBody>, unknown, z.output<typeof CreateScimTokenBody>>({
    resolver: checkBody,
    defaultValues: { name: "", expires_at: null },
  });
  const { control } = form;
  return (
    <MutationForm
      form={form}
      mutation={creation}
      onSaved={({ data, token }) => onCreated({ name: data.name, token })}
      action="Create token"
      onCancel={onCancel}
    >
      <TextField
        control={control}
        name="name"
        label="Name"
        hint="The identity provider that uses it"
        input={{ autoComplete: "off", maxLength: 100, placeholder: "Entra ID" }}
      />
      <DateTimeField
        control={control}
        name="expires_at"
        label="Expires"
        hint="Leave blank for no expiry. After it, the directory no longer deactivates anybody."
      />
    </MutationForm>
  );
}
