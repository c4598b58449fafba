"use client";
import { useForm } from "react-hook-form";
import { FailureAlert } from "@/components/form/failure-alert";
import { formResolver } from "@/components/form/form-resolver";
import { showFailure } from "@/components/form/show-failure";
import { TextField } from "@/components/form/text-field";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import { ChangePasswordBody } from "@/lib/records/session/account-contract";
import { useChangePassword } from "./account-queries";

const checkBody = formResolver(ChangePasswordBody);

const EMPTY: ChangePasswordBody = { current_password: "", new_password: "" };

const elsewhere = (count: number) =>
  count === 0
    ? {}
    : { description: count === 1 ? "1 other browser was signed out." : `${count} other browsers were signed out.` };

export function PasswordForm() {
  const change = useChangePassword();
  const form = useForm<ChangePasswordBody>({ resolver: checkBody, defaultValues: EMPTY });
  const submit = form.handleSubmit((body) =>
    change.mutate(body, {
      onSuccess: ({ data }) => {
        form.reset(EMPTY);
        toast.success("Password changed", elsewhere(data.sessions_ended));
      },
      onError: (error) => showFailure(form, toFailure(error)),
    }),
  );
  const failure = change.error && toFailure(change.error);
  return (
    <form
      method="post"
      noValidate
      aria-label="Password"
      onSubmit={(event) => void submit(event)}
      className="grid max-w-2xl gap-4"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          control={form.control}
          name="current_password"
          label="Current password"
          input={{ type: "password", autoComplete: "current-password" }}
        />
        <TextField
          control={form.control}
          name="new_password"
          label="New password"
          hint="At least 8 characters."
          input={{ type: "password", autoComplete: "new-password" }}
        />
      </div>
      {failure && <FailureAlert failure={failure} control={form.control} />}
      <div>
        <Button type="submit" variant="primary" disabled={change.isPending}>
          Change password
        </Button>
      </div>
    </form>
  );
}
