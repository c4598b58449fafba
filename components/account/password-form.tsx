"use client";
import { useForm } from "react-hook-form";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { TextField } from "@/components/form/text-field";
import { toast } from "@/components/ui/toast";
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
  return (
    <MutationForm
      form={form}
      mutation={change}
      onSaved={({ data }) => {
        form.reset(EMPTY);
        toast.success("Password changed", elsewhere(data.sessions_ended));
      }}
      action="Change password"
      label="Password"
      className="max-w-2xl"
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
    </MutationForm>
  );
}
