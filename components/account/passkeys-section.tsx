"use client";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { FailureAlert } from "@/components/form/failure-alert";
import { TextField } from "@/components/form/text-field";
import { createPasskeyOnDevice, supportsPasskeys } from "@/components/session/passkeys";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { RelativeTime } from "@/components/ui/relative-time";
import { toast } from "@/components/ui/toast";
import { useBrowserValue } from "@/components/ui/use-browser-value";
import { call } from "@/lib/browser/api-client";
import { toFailure } from "@/lib/browser/api-failure";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { reload } from "@/lib/browser/api-query";
import {
  createPasskey,
  createPasskeyOptions,
  deletePasskey,
  getAccountSecurity,
} from "@/lib/browser/operations/session-factors";
import type { Passkey } from "@/lib/records/session/factors-contract";
import { browserName } from "./browser-name";

/** Passkeys with which the member signs in without a password. */
export function PasskeysSection({ passkeys }: { passkeys: readonly Passkey[] }) {
  const isSupported = useBrowserValue(supportsPasskeys, true);
  const [isAdding, setAdding] = useState(false);
  const [toRemove, setToRemove] = useState<Passkey | null>(null);
  return (
    <section aria-labelledby="passkeys" className="grid gap-2 border-t pt-4">
      <h3 id="passkeys" className="text-sm font-medium">
        Passkeys
      </h3>
      <p className="text-[13px] text-muted">
        Sign in with your fingerprint, face, device PIN or security key instead of your password.
      </p>
      {passkeys.length > 0 && (
        <ul aria-label="Passkeys" className="grid divide-y rounded-md border">
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
              <span className="min-w-0 flex-1 font-medium break-words">{passkey.name}</span>
              <span className="text-[13px] text-muted">
                {passkey.last_used_at === null ? (
                  "Not used yet"
                ) : (
                  <>
                    Last used <RelativeTime at={passkey.last_used_at} />
                  </>
                )}
              </span>
              <Button size="sm" aria-label={`Remove passkey ${passkey.name}`} onClick={() => setToRemove(passkey)}>
                Remove…
              </Button>
            </li>
          ))}
        </ul>
      )}
      {isSupported ? (
        <div>
          <Button onClick={() => setAdding(true)}>Add passkey…</Button>
        </div>
      ) : (
        <p className="text-[13px]">
          Passkeys need https and a host name. Open the console at such an address to add one.
        </p>
      )}
      <AddPasskey open={isAdding} onClose={() => setAdding(false)} />
      <RemovePasskey passkey={toRemove} onClose={() => setToRemove(null)} />
    </section>
  );
}

function AddPasskey({ open, onClose }: { open: boolean; onClose: () => void }) {
  const form = useForm({ defaultValues: { name: "" } });
  const creation = useApiMutation({
    mutationFn: async (name: string) => {
      const { data } = await call(createPasskeyOptions, {});
      return call(createPasskey, { body: { name, credential: await createPasskeyOnDevice(data) } });
    },
    onSuccess: reload(getAccountSecurity),
  });
  const close = () => {
    creation.reset();
    form.reset();
    onClose();
  };
  const submit = form.handleSubmit(({ name }) =>
    creation.mutate(name.trim() || browserName(navigator.userAgent), {
      onSuccess: () => {
        toast.success("Passkey added");
        close();
      },
    }),
  );
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && close()}
      title="Add a passkey"
      description="Your browser asks you to confirm with your device or security key."
    >
      <form method="post" noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        {creation.error && <FailureAlert failure={toFailure(creation.error)} />}
        <TextField
          control={form.control}
          name="name"
          label="Name"
          hint="A name to recognize it by. Leave blank to use the browser's name."
          input={{ maxLength: 100, autoComplete: "off" }}
        />
        <DialogActions>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={creation.isPending}>
            Continue
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function RemovePasskey({ passkey, onClose }: { passkey: Passkey | null; onClose: () => void }) {
  const removal = useApiMutation({
    mutationFn: (id: string) => call(deletePasskey, { params: { id } }),
    onSuccess: reload(getAccountSecurity),
  });
  const close = () => {
    removal.reset();
    onClose();
  };
  const confirm = () => {
    if (!passkey) return;
    removal.mutate(passkey.id, {
      onSuccess: () => {
        toast.success("Passkey removed");
        close();
      },
    });
  };
  return (
    <ConfirmDialog
      open={passkey !== null}
      onOpenChange={(isOpen) => !isOpen && close()}
      title={`Remove passkey ${passkey?.name ?? ""}?`}
      action="Remove passkey"
      onConfirm={confirm}
      isPending={removal.isPending}
    >
      <p>You can&apos;t sign in with it any more. Delete it on your device as well.</p>
      {removal.error && <FailureAlert failure={toFailure(removal.error)} />}
    </ConfirmDialog>
  );
}
