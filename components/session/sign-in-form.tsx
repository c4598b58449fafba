"use client";
import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useForm, type Control } from "react-hook-form";
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
import { ProviderButtons, startAddress } from "./provider-buttons";
import { RefusalAlert } from "./refusal-alert";
import { signInOptionsQuery, useChooseSignIn, useSignIn } from "./session-queries";

const checkBody = formResolver(CreateSessionBody);

interface SignInProps {
  /** Page to open after signing in, with a full load so that the server sees the session. */
  next: string;
  /** Why an identity provider's sign-in was refused, and the request that refused it. */
  refusal: string | null;
  requestId: string | null;
}

export function SignIn({ next, refusal, requestId }: SignInProps) {
  const { data } = useQuery(signInOptionsQuery);
  const { connections = [], email_first = false } = data?.data ?? {};
  return (
    <div className="grid gap-4">
      {refusal !== null && <RefusalAlert refusal={refusal} requestId={requestId} />}
      {connections.length > 0 && <ProviderButtons connections={connections} next={next} />}
      <SignInForm next={next} isEmailFirst={email_first} onSignedIn={() => window.location.assign(next)} />
    </div>
  );
}

interface SignInFormProps {
  /** Email address of the previous session. */
  email?: string;
  /** Page to open after signing in with an identity provider. */
  next?: string;
  /** Asks for the address first, and sends people of an identity provider's domain there. */
  isEmailFirst?: boolean;
  onSignedIn: (session: Session) => void;
}

export function SignInForm({ email = "", next = "/", isEmailFirst = false, onSignedIn }: SignInFormProps) {
  const signIn = useSignIn();
  const passkeySignIn = usePasskeySignIn();
  const isPasskeyOffered = useBrowserValue(supportsPasskeys, false);
  const isHydrated = useIsHydrated();
  const [needsCode, setNeedsCode] = useState(false);
  const [wantsPassword, setWantsPassword] = useState(false);
  const choice = useChooseSignIn();
  const asksPassword = wantsPassword || choice.data?.data.connection === null;
  const form = useForm<CreateSessionBody>({ resolver: checkBody, defaultValues: { email, password: "" } });
  const isAddressStep = isEmailFirst && !asksPassword && !needsCode;
  const choose = () =>
    choice.mutate(form.getValues("email"), {
      onSuccess: ({ data: { connection } }) => {
        if (connection)
          window.location.assign(startAddress(connection.start_url, next, form.getValues("email").trim()));
      },
      onError: (error) => showFailure(form, toFailure(error)),
    });
  const signInByPassword = form.handleSubmit((body) =>
    signIn.mutate(body, {
      onSuccess: ({ data }) => onSignedIn(data),
      onError: (error) => {
        const failure = toFailure(error);
        if (isCodeMissing(failure)) {
          setNeedsCode(true);
          return;
        }
        setWantsPassword(true);
        showFailure(form, failure);
        form.setFocus(needsCode ? "code" : "password", { shouldSelect: true });
      },
    }),
  );
  // A password manager may have filled the password, too.
  const submit = async () => {
    if (!isAddressStep || form.getValues("password") !== "") await signInByPassword();
    else if (await form.trigger("email", { shouldFocus: true })) choose();
  };
  /** Forgets the answer for an address, and a password that was entered for it. */
  const forgetChoice = () => {
    if (choice.data) form.setValue("password", "");
    choice.reset();
  };
  const switchStep = () => {
    setWantsPassword(isAddressStep);
    if (!isAddressStep) form.setValue("password", "");
    signIn.reset();
    choice.reset();
  };
  const startOver = () => {
    setNeedsCode(false);
    signIn.reset();
    form.reset({ email: form.getValues("email"), password: "" });
  };
  const signInWithPasskey = () => {
    signIn.reset();
    passkeySignIn.mutate(undefined, { onSuccess: ({ data }) => onSignedIn(data) });
  };
  const failure = signIn.error ?? passkeySignIn.error ?? choice.error;
  const isLeaving =
    [signIn, passkeySignIn].some(({ isPending, isSuccess }) => isPending || isSuccess) || choice.isPending;
  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onChange={({ target }) => target instanceof HTMLInputElement && target.name === "email" && forgetChoice()}
      className="grid gap-4"
    >
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
          <PasswordField control={form.control} isHidden={isAddressStep} autoFocus={email !== "" || asksPassword} />
        </>
      )}
      <Button type="submit" variant="primary" className="mt-1 h-9" disabled={!isHydrated || isLeaving}>
        {isLeaving ? "Signing in…" : isAddressStep ? "Continue" : "Sign in"}
      </Button>
      {isEmailFirst && !needsCode && (
        <Button variant="ghost" size="sm" className="-mt-2 justify-self-center text-muted" onClick={switchStep}>
          {isAddressStep ? "Use a password" : "Use an identity provider"}
        </Button>
      )}
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

interface PasswordFieldProps {
  control: Control<CreateSessionBody>;
  /** Out of sight, but in the form, so that password managers fill it together with the address. */
  isHidden: boolean;
  autoFocus: boolean;
}

const PasswordField = ({ control, isHidden, autoFocus }: PasswordFieldProps) =>
  isHidden ? (
    <div className="sr-only" aria-hidden>
      <TextField
        control={control}
        name="password"
        label="Password"
        input={{ type: "password", autoComplete: "current-password", tabIndex: -1 }}
      />
    </div>
  ) : (
    <TextField
      control={control}
      name="password"
      label="Password"
      input={{ type: "password", autoComplete: "current-password", autoFocus }}
    />
  );

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
  if (failure.metadata["reason"] === "identity_provider_required")
    return (
      <Alert kind="danger" title="Sign in with your identity provider">
        Your organization doesn&apos;t allow passwords and passkeys.
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
