"use client";
import { useForm } from "react-hook-form";
import { useChangePassword } from "@/components/account/account-queries";
import { FailureAlert } from "@/components/form/failure-alert";
import { formResolver } from "@/components/form/form-resolver";
import { showFailure } from "@/components/form/show-failure";
import { TextField } from "@/components/form/text-field";
import { Button } from "@/components/ui/button";
import { useIsHydrated } from "@/components/ui/use-browser-value";
import { toFailure } from "@/lib/browser/api-failure";
import { leaveToSignIn } from "@/lib/browser/session-end";
import { ChangePasswordBody } from "@/lib/records/session/account-contract";

const checkBody = formResolver(ChangePasswordBody);

/** Replaces the first password, which someone else chose. Nothing else is allowed before. */
export function FirstPasswordForm() {
  const isHydrated = useIsHydrated();
  const change = useChangePassword();
  const form = useForm<ChangePasswordBody>({
    resolver: checkBody,
    defaultValues: { current_password: "", new_password: "" },
  });
  const submit = form.handleSubmit((body) =>
    change.mutate(body, {
      onSuccess: () => window.location.assign("/"),
      onError: (error) => {
        const failure = toFailure(error);
        if (failure.status === 401) leaveToSignIn();
        else showFailure(form, failure);
      },
    }),
  );
  const failure = change.error && toFailure(change.error);
  const isLeaving = change.isPending || change.isSuccess;
  return (
    <form method="post" noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {failure && <FailureAlert failure={failure} control={form.control} />}
      <TextField
        control={form.control}
        name="current_password"
        label="Current password"
        input={{ type: "password", autoComplete: "current-password", autoFocus: true }}
      />
      <TextField
        control={form.control}
        name="new_password"
        label="New password"
        hint="At least 8 characters."
        input={{ type: "password", autoComplete: "new-password" }}
      />
      <Button type="submit" variant="primary" className="mt-1 h-9" disabled={!isHydrated || isLeaving}>
        {isLeaving ? "Saving…" : "Change password"}
      </Button>
    </form>
  );
}
