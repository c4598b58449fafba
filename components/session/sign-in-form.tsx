"use client";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { FailureAlert } from "@/components/form/failure-alert";
import { formResolver } from "@/components/form/form-resolver";
import { showFailure } from "@/components/form/show-failure";
import { TextField } from "@/components/form/text-field";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { useBrowserValue, useIsHydrated } from "@/components/ui/use-browser-value";
import { toFailure, type ApiFailure } from "@/lib/browser/api-failure";
import { CreateSessionBody, type Session } from "@/lib/records/session/contract";
import { call } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { createPasskeySession, createPasskeySignInOptions } from "@/lib/browser/operations/session";
import { CodeField, isCodeMissing } from "./code-field";
import { supportsPasskeys, askForPasskey } from "./passkeys";
import { useSignIn } from "./session-queries";

const checkBody = formResolver(CreateSessionBody);

/** `next` is the page to open after signing in, with a full load so that the server sees the session. */
export function SignIn({ next }: { next: string }) {
  return <SignInForm onSignedIn={() => window.location.assign(next)} />;
}

interface SignInFormProps {
  /** Email address of the previous session. */
  email?: string;
  onSignedIn: (session: Session) => void;
}

export function SignInForm({ email = "", onSignedIn }: SignInFormProps) {
  const signIn = useSignIn();
  const passkeySignIn = usePasskeySignIn();
  const isPasskeyOffered = useBrowserValue(supportsPasskeys, false);
  const isHydrated = useIsHydrated();
  const [needsCode, setNeedsCode] = useState(false);
  const form = useForm<CreateSessionBody>({ resolver: checkBody, defaultValues: { email, password: "" } });
  const submit = form.handleSubmit((body) =>
    signIn.mutate(body, {
      onSuccess: ({ data }) => onSignedIn(data),
      onError: (error) => {
        const failure = toFailure(error);
        if (isCodeMissing(failure)) {
          setNeedsCode(true);
          return;
        }
        showFailure(form, failure);
        form.setFocus(needsCode ? "code" : "password", { shouldSelect: true });
      },
    }),
  );
  const startOver = () => {
    setNeedsCode(false);
    signIn.reset();
    form.reset({ email: form.getValues("email"), password: "" });
  };
  const signInWithPasskey = () => {
    signIn.reset();
    passkeySignIn.mutate(undefined, { onSuccess: ({ data }) => onSignedIn(data) });
  };
  const failure = signIn.error ?? passkeySignIn.error;
  const isLeaving = [signIn, passkeySignIn].some(({ isPending, isSuccess }) => isPending || isSuccess);
  return (
    <form method="post" noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {failure && !isCodeMissing(toFailure(failure)) && <SignInFailure failure={toFailure(failure)} />}
      {needsCode ? (
        <CodeField control={form.control} name="code" />
      ) : (
        <>
          <TextField
            control={form.control}
            name="email"
            label="Email"
            input={{ type: "email", autoComplete: "username", autoFocus: email === "" }}
          />
          <TextField
            control={form.control}
            name="password"
            label="Password"
            input={{ type: "password", autoComplete: "current-password", autoFocus: email !== "" }}
          />
        </>
      )}
      <Button type="submit" variant="primary" className="mt-1 h-9" disabled={!isHydrated || isLeaving}>
        {isLeaving ? "Signing in…" : "Sign in"}
      </Button>
      {needsCode && (
        <Button variant="ghost" size="sm" className="-mt-2 justify-self-center text-muted" onClick={startOver}>
          Use another account
        </Button>
      )}
      {isPasskeyOffered && !needsCode && (
        <Button className="-mt-1 h-9" disabled={isLeaving} onClick={signInWithPasskey}>
          <KeyRound aria-hidden /> Sign in with a passkey
        </Button>
      )}
    </form>
  );
}

function SignInFailure({ failure }: { failure: ApiFailure }) {
  if (failure.metadata["reason"] === "second_factor_invalid")
    return (
      <Alert kind="danger" title="Incorrect code">
        Each code works once. Wait for the next one, or use a recovery code.
      </Alert>
    );
  if (failure.metadata["reason"] === "member_deactivated")
    return (
      <Alert kind="danger" title="Your account is deactivated">
        Ask an admin of your organization to reactivate it.
      </Alert>
    );
  if (failure.status === 401)
    return (
      <Alert
        kind="danger"
        title={failure.message.startsWith("This passkey") ? failure.message : "Incorrect email or password"}
      />
    );
  if (failure.status === 429) {
    const { retry_after } = failure.metadata;
    return (
      <Alert kind="danger" title="Too many attempts">
        Try again in {typeof retry_after === "number" ? `${retry_after} seconds` : "a moment"}.
      </Alert>
    );
  }
  return <FailureAlert failure={failure} />;
}

const usePasskeySignIn = () =>
  useApiMutation({
    mutationFn: async () => {
      const { data } = await call(createPasskeySignInOptions, {});
      return call(createPasskeySession, { body: { passkey: await askForPasskey(data) } });
    },
  });
