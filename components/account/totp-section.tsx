"use client";
import { useState } from "react";
import { useForm } from "react-hook-form";
import type { z } from "zod";
import { encode } from "uqr";
import { FailureAlert } from "@/components/form/failure-alert";
import { formResolver } from "@/components/form/form-resolver";
import { showFailure } from "@/components/form/show-failure";
import { TextField } from "@/components/form/text-field";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { StoredButton } from "@/components/ui/stored-button";
import { toast } from "@/components/ui/toast";
import { call } from "@/lib/browser/api-client";
import { toFailure } from "@/lib/browser/api-failure";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { reload } from "@/lib/browser/api-query";
import {
  confirmTotp,
  createRecoveryCodes,
  deleteTotp,
  getAccountSecurity,
  startTotp,
} from "@/lib/browser/operations/session-factors";
import { ConfirmTotpBody, type AccountSecurity } from "@/lib/records/session/factors-contract";

const checkBody = formResolver(ConfirmTotpBody);
const FEW_CODES = 3;

function useSecurityChange<Variables, Result>(mutationFn: (variables: Variables) => Promise<Result>) {
  return useApiMutation({ mutationFn, onSuccess: reload(getAccountSecurity) });
}

/** Codes of an authenticator app as the second step of sign-in. */
export function TotpSection({ security }: { security: AccountSecurity }) {
  const { totp_enabled, recovery_codes_left } = security;
  const [isEnding, setEnding] = useState(false);
  const [codes, setCodes] = useState<string[] | null>(null);
  const start = useApiMutation({ mutationFn: () => call(startTotp, {}) });
  const renewal = useSecurityChange(() => call(createRecoveryCodes, {}));
  const onError = (error: Error) =>
    toast.error("Couldn't change two-step verification", { description: toFailure(error).message });
  return (
    <section aria-labelledby="totp" className="grid gap-2">
      <h3 id="totp" className="flex items-center gap-2 text-sm font-medium">
        Two-step verification {totp_enabled && <Badge tone="success">On</Badge>}
      </h3>
      <p className="text-[13px] text-muted">
        {totp_enabled
          ? `Signing in with your password also needs a code from your authenticator app. ${recovery_codes_left} of 10 recovery codes left.`
          : "Require a code of an authenticator app when you sign in with your password."}
      </p>
      {totp_enabled && recovery_codes_left < FEW_CODES && (
        <Alert kind="warning" title="Few recovery codes left">
          Create new ones, so that you can sign in without your device.
        </Alert>
      )}
      <div className="flex flex-wrap gap-2">
        {totp_enabled ? (
          <>
            <Button
              disabled={renewal.isPending}
              onClick={() =>
                renewal.mutate(undefined, { onError, onSuccess: ({ data }) => setCodes(data.recovery_codes) })
              }
            >
              New recovery codes
            </Button>
            <Button className="text-danger" onClick={() => setEnding(true)}>
              Turn off…
            </Button>
          </>
        ) : (
          <Button disabled={start.isPending} onClick={() => start.mutate(undefined, { onError })}>
            Set up…
          </Button>
        )}
      </div>
      <SetUp
        secret={start.data?.data ?? null}
        onClose={start.reset}
        onDone={(fresh) => {
          start.reset();
          setCodes(fresh);
        }}
      />
      <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />
      <TurnOff open={isEnding} onClose={() => setEnding(false)} />
    </section>
  );
}

interface SetUpProps {
  secret: { secret: string; uri: string } | null;
  onClose: () => void;
  onDone: (recoveryCodes: string[]) => void;
}

function SetUp({ secret, onClose, onDone }: SetUpProps) {
  const confirmation = useSecurityChange((body: z.output<typeof ConfirmTotpBody>) => call(confirmTotp, { body }));
  const form = useForm<z.input<typeof ConfirmTotpBody>>({ resolver: checkBody, defaultValues: { code: "" } });
  const close = () => {
    confirmation.reset();
    form.reset();
    onClose();
  };
  const submit = form.handleSubmit((body) =>
    confirmation.mutate(body, {
      onSuccess: ({ data }) => {
        form.reset();
        onDone(data.recovery_codes);
      },
      onError: (error) => showFailure(form, toFailure(error)),
    }),
  );
  const failure = confirmation.error && toFailure(confirmation.error);
  return (
    <Dialog
      open={secret !== null}
      onOpenChange={(open) => !open && close()}
      title="Set up two-step verification"
      description="Scan the QR code with an authenticator app, then enter the code that it shows."
    >
      {secret && (
        <form method="post" noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
          <QrCode text={secret.uri} label="QR code for your authenticator app" />
          <div className="grid gap-1 text-[13px]">
            <span className="text-muted">Can&apos;t scan it? Enter this key:</span>
            <span className="flex items-center gap-1">
              <code className="font-mono break-all">{secret.secret}</code>
              <CopyButton text={secret.secret} label="Copy key" />
            </span>
          </div>
          {failure && <FailureAlert failure={failure} control={form.control} />}
          <TextField
            control={form.control}
            name="code"
            label="Code"
            input={{ inputMode: "numeric", autoComplete: "one-time-code", maxLength: 6 }}
          />
          <DialogActions>
            <Button onClick={close}>Cancel</Button>
            <Button type="submit" variant="primary" disabled={confirmation.isPending}>
              Turn on
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  );
}

function RecoveryCodes({ codes, onClose }: { codes: readonly string[] | null; onClose: () => void }) {
  const text = codes?.join("\n") ?? "";
  return (
    <Dialog
      open={codes !== null}
      onOpenChange={(open) => !open && onClose()}
      isDismissible={false}
      title="Recovery codes"
      description="Each code replaces your authenticator app once. They are shown only now; earlier codes no longer work."
    >
      <ul aria-label="Recovery codes" className="grid gap-1 rounded-md border bg-subtle p-3 font-mono text-[13px]">
        {codes?.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <DialogActions>
        <CopyButton text={text} label="Copy codes">
          Copy codes
        </CopyButton>
        <StoredButton onStored={onClose}>I saved them</StoredButton>
      </DialogActions>
    </Dialog>
  );
}

function TurnOff({ open, onClose }: { open: boolean; onClose: () => void }) {
  const ending = useSecurityChange(() => call(deleteTotp, {}));
  const close = () => {
    ending.reset();
    onClose();
  };
  const confirm = () =>
    ending.mutate(undefined, {
      onSuccess: () => {
        toast.success("Two-step verification turned off");
        close();
      },
    });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && close()}
      title="Turn off two-step verification?"
      action="Turn off"
      onConfirm={confirm}
      isPending={ending.isPending}
    >
      <p>Your password alone will be enough to sign in. Your recovery codes stop working.</p>
      {ending.error && <FailureAlert failure={toFailure(ending.error)} />}
    </ConfirmDialog>
  );
}

/** A QR code, black on white in both themes for cameras. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto w-48 max-w-full rounded-md border bg-white"
    >
      <path d={path} fill="black" />
    </svg>
  );
}
