"use client";
import { useState } from "react";
import { useForm } from "react-hook-form";
import type { z } from "zod";
import { FailureAlert } from "@/components/form/failure-alert";
import { formResolver } from "@/components/form/form-resolver";
import { showFailure } from "@/components/form/show-failure";
import { TextField } from "@/components/form/text-field";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { TextLink } from "@/components/ui/text-link";
import { useIsHydrated } from "@/components/ui/use-browser-value";
import { toFailure, type ApiFailure } from "@/lib/browser/api-failure";
import { AcceptInvitationBody } from "@/lib/records/session/contract";
import { CodeField, isCodeMissing } from "./code-field";
import { useAcceptInvitation } from "./session-queries";

const checkBody = formResolver(AcceptInvitationBody);

interface InvitationFormProps {
  token: string;
  /** A password reset for an existing member, which only asks for a password. */
  isReset: boolean;
}

export function InvitationForm({ token, isReset }: InvitationFormProps) {
  const isHydrated = useIsHydrated();
  const acceptance = useAcceptInvitation();
  const [needsCode, setNeedsCode] = useState(false);
  const form = useForm<z.input<typeof AcceptInvitationBody>>({
    resolver: checkBody,
    defaultValues: { token, password: "" },
  });
  const submit = form.handleSubmit((body) =>
    acceptance.mutate(body, {
      onSuccess: () => window.location.assign("/"),
      onError: (error) => {
        const failure = toFailure(error);
        if (isCodeMissing(failure)) setNeedsCode(true);
        else showFailure(form, failure);
      },
    }),
  );
  const isWrongToken = form.formState.errors.token !== undefined;
  const isLeaving = acceptance.isPending || acceptance.isSuccess;
  return (
    <form method="post" noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {isWrongToken ? (
        <InvalidLink isReset={isReset} />
      ) : (
        acceptance.error &&
        !isCodeMissing(toFailure(acceptance.error)) && (
          <LinkFailure failure={toFailure(acceptance.error)} isReset={isReset} />
        )
      )}
      {!isReset && (
        <div className="grid grid-cols-2 gap-3">
          <TextField
            control={form.control}
            name="first_name"
            label="First name"
            input={{ autoComplete: "given-name" }}
          />
          <TextField
            control={form.control}
            name="last_name"
            label="Last name"
            input={{ autoComplete: "family-name" }}
          />
        </div>
      )}
      <TextField
        control={form.control}
        name="password"
        label={isReset ? "New password" : "Password"}
        input={{ type: "password", autoComplete: "new-password" }}
      />
      {needsCode && <CodeField control={form.control} name="code" />}
      <Button type="submit" variant="primary" className="mt-1 h-9" disabled={!isHydrated || isLeaving}>
        {isLeaving ? "Signing in…" : isReset ? "Save and sign in" : "Accept and sign in"}
      </Button>
    </form>
  );
}

const InvalidLink = ({ isReset }: { isReset: boolean }) => (
  <Alert kind="danger" title={`This ${isReset ? "link" : "invitation"} is no longer valid`}>
    It has already been used, has expired or is incomplete. Ask an admin for a new one.
  </Alert>
);

function LinkFailure({ failure, isReset }: { failure: ApiFailure; isReset: boolean }) {
  if (failure.status === 404) return <InvalidLink isReset={isReset} />;
  if (failure.metadata["reason"] === "identity_provider_required")
    return (
      <Alert kind="info" title="You don’t need a password">
        Your organization signs in with an identity provider. <TextLink href="/sign-in">Go to sign-in page</TextLink>
      </Alert>
    );
  return <FailureAlert failure={failure} />;
}
