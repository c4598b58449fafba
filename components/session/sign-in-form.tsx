"use client";
import { useForm } from "react-hook-form";
import { FailureAlert } from "@/components/form/failure-alert";
import { formResolver } from "@/components/form/form-resolver";
import { showFailure } from "@/components/form/show-failure";
import { TextField } from "@/components/form/text-field";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { toFailure, type ApiFailure } from "@/lib/browser/api-failure";
import { CreateSessionBody, type Session } from "@/lib/records/session/contract";
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
  const form = useForm<CreateSessionBody>({ resolver: checkBody, defaultValues: { email, password: "" } });
  const submit = form.handleSubmit((body) =>
    signIn.mutate(body, {
      onSuccess: ({ data }) => onSignedIn(data),
      onError: (error) => {
        showFailure(form, toFailure(error));
        form.setFocus("password", { shouldSelect: true });
      },
    }),
  );
  const isLeaving = signIn.isPending || signIn.isSuccess;
  return (
    <form method="post" noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {signIn.error && <SignInFailure failure={toFailure(signIn.error)} />}
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
      <Button type="submit" variant="primary" className="mt-1 h-9" disabled={isLeaving}>
        {isLeaving ? "Signing in…" : "Sign in"}
      </Button>
    </form>
  );
}

function SignInFailure({ failure }: { failure: ApiFailure }) {
  if (failure.status === 401) return <Alert kind="danger" title="Incorrect email or password" />;
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
