"use client";
import { useForm } from "react-hook-form";
import type { z } from "zod";
import { FailureAlert } from "@/components/form/failure-alert";
import { formResolver } from "@/components/form/form-resolver";
import { showFailure } from "@/components/form/show-failure";
import { TextField } from "@/components/form/text-field";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { toFailure, type ApiFailure } from "@/lib/browser/api-failure";
import { AcceptInvitationBody } from "@/lib/session/contract";
import { useAcceptInvitation } from "./session-queries";

export function InvitationForm({ token }: { token: string }) {
  const acceptance = useAcceptInvitation();
  const form = useForm<z.input<typeof AcceptInvitationBody>>({
    resolver: formResolver(AcceptInvitationBody),
    defaultValues: { token, password: "" },
  });
  const submit = form.handleSubmit((body) =>
    acceptance.mutate(body, {
      onSuccess: () => window.location.assign("/"),
      onError: (error) => showFailure(form, toFailure(error)),
    }),
  );
  const isWrongToken = form.formState.errors.token !== undefined;
  const isLeaving = acceptance.isPending || acceptance.isSuccess;
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {isWrongToken ? <InvalidInvitation /> : acceptance.error && <InvitationFailure failure={toFailure(acceptance.error)} />}
      <div className="grid grid-cols-2 gap-3">
        <TextField control={form.control} name="first_name" label="First name" input={{ autoComplete: "given-name" }} />
        <TextField control={form.control} name="last_name" label="Last name" input={{ autoComplete: "family-name" }} />
      </div>
      <TextField control={form.control} name="password" label="Password" input={{ type: "password", autoComplete: "new-password" }} />
      <Button type="submit" variant="primary" className="mt-1 h-9" disabled={isLeaving}>
        {isLeaving ? "Signing in…" : "Accept and sign in"}
      </Button>
    </form>
  );
}

function InvalidInvitation() {
  return (
    <Alert kind="danger" title="This invitation does not work">
      It was used already, has expired, or the link is incomplete. Ask an admin for a new one.
    </Alert>
  );
}

const InvitationFailure = ({ failure }: { failure: ApiFailure }) =>
  failure.status === 404 ? <InvalidInvitation /> : <FailureAlert failure={failure} />;
