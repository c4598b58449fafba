"use client";
import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { accountSecurityQuery } from "@/components/account/account-queries";
import { FailureAlert } from "@/components/form/failure-alert";
import { TextField } from "@/components/form/text-field";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { call, type CallInput } from "@/lib/browser/api-client";
import { toFailure } from "@/lib/browser/api-failure";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { createReauthenticationOptions, reauthenticate } from "@/lib/browser/operations/session-factors";
import { askForPasskey, supportsPasskeys } from "./passkeys";
import { ProviderProof } from "./provider-proof";
import { sessionQuery } from "./session-queries";

type Proof = CallInput<typeof reauthenticate>["body"];

interface IdentityFormProps {
  onConfirmed: () => void;
  onCancel: () => void;
}

/** Asks for the proof with which the member signed in: their identity provider, or a password, code or passkey. */
export function IdentityForm(props: IdentityFormProps) {
  const connection = useQuery(sessionQuery).data?.connection;
  return connection ? <ProviderProof connection={connection} {...props} /> : <PasswordProof {...props} />;
}

function PasswordProof({ onConfirmed, onCancel }: IdentityFormProps) {
  const security = useQuery(accountSecurityQuery).data?.data;
  const [isCode, setCode] = useState(false);
  const form = useForm({ defaultValues: { secret: "" } });
  const proof = useApiMutation({
    mutationFn: async (find: () => Proof | Promise<Proof>) => call(reauthenticate, { body: await find() }),
    onSuccess: onConfirmed,
    onError: () => form.setFocus("secret", { shouldSelect: true }),
  });
  const submit = form.handleSubmit(({ secret }) =>
    proof.mutate(() => (isCode ? { code: secret } : { password: secret })),
  );
  const askPasskey = () =>
    proof.mutate(async () => {
      const { data } = await call(createReauthenticationOptions, {});
      return { passkey: await askForPasskey(data) };
    });
  const hasPasskeys = security !== undefined && security.passkeys.length > 0 && supportsPasskeys();
  const switchTo = (code: boolean) => {
    setCode(code);
    proof.reset();
    form.reset();
  };
  return (
    <form method="post" noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {proof.error && <ProofFailure error={proof.error} isCode={isCode} />}
      <TextField
        key={isCode ? "code" : "password"}
        control={form.control}
        name="secret"
        label={isCode ? "Code" : "Password"}
        hint={isCode ? "From your authenticator app, or a recovery code." : undefined}
        input={
          isCode
            ? { autoComplete: "one-time-code", autoFocus: true, spellCheck: false }
            : { type: "password", autoComplete: "current-password", autoFocus: true }
        }
      />
      <div className="flex flex-wrap gap-2">
        {hasPasskeys && (
          <Button size="sm" disabled={proof.isPending} onClick={askPasskey}>
            <KeyRound aria-hidden /> Use a passkey
          </Button>
        )}
        {security?.totp_enabled && (
          <Button size="sm" onClick={() => switchTo(!isCode)}>
            {isCode ? "Use your password" : "Use a code"}
          </Button>
        )}
      </div>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={proof.isPending}>
          Confirm
        </Button>
      </DialogActions>
    </form>
  );
}

/** Titles by the code of the API's issue. */
const WRONG: Readonly<Record<string, string>> = {
  wrong_password: "Incorrect password",
  wrong_code: "Incorrect code",
  wrong_passkey: "This passkey isn’t one of yours",
};

function ProofFailure({ error, isCode }: { error: Error; isCode: boolean }) {
  const failure = toFailure(error);
  const wrong = failure.issues.flatMap(({ code = "" }) => WRONG[code] ?? [])[0];
  if (wrong !== undefined) return <Alert kind="danger" title={wrong} />;
  if (failure.status === 400) return <Alert kind="danger" title={`${isCode ? "Code" : "Password"} is required`} />;
  return <FailureAlert failure={failure} />;
}
