"use client";
import { useQuery } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { FormSkeleton } from "@/components/form/form-skeleton";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { SelectField } from "@/components/form/select-field";
import { DataState } from "@/components/layout/data-state";
import { memberOption } from "@/components/members/member-name";
import { Card } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
import { SignInSettings } from "@/lib/records/sign-in-connections/contract";
import { breakGlassChoicesQuery, signInSettingsQuery, useUpdateSignInSettings } from "./connection-queries";

const checkBody = formResolver(SignInSettings);

const OPTIONS = [
  { value: "allowed", label: "Allowed for everybody" },
  { value: "break_glass_only", label: "Off, except for the break-glass member" },
] as const;

/** Who may sign in by password, passkey and invitation. */
export function PasswordCard() {
  const settings = useQuery(signInSettingsQuery);
  return (
    <Card
      id="password-sign-in"
      title="Sign-in by password"
      description="With passwords off, members sign in only with an identity provider. One member keeps a password, in case the provider fails."
    >
      <DataState
        query={settings}
        subject="the sign-in settings"
        skeleton={<FormSkeleton hints={["", "Marked"]} className="max-w-xl gap-4" />}
      >
        {({ data }) => <PasswordForm settings={data} />}
      </DataState>
    </Card>
  );
}

function PasswordForm({ settings }: { settings: SignInSettings }) {
  const change = useUpdateSignInSettings();
  const members = useQuery(breakGlassChoicesQuery).data?.data ?? [];
  const form = useForm({ resolver: checkBody, values: settings, resetOptions: { keepDirtyValues: true } });
  const { control } = form;
  return (
    <MutationForm
      form={form}
      mutation={change}
      onSaved={({ data }) => {
        form.reset(data);
        toast.success("Sign-in settings saved");
      }}
      action="Save"
      isEdit
      isGuarded
      inCard
      label="Sign-in by password"
      className="max-w-xl"
    >
      <SelectField control={control} name="password_sign_in" label="Passwords" options={OPTIONS} />
      <SelectField
        control={control}
        name="break_glass_member_id"
        label="Break-glass member"
        none="None"
        hint="Each of their sign-ins by password is marked in the audit log."
        options={members.map((member) => ({ value: member.id, label: memberOption(member) }))}
      />
    </MutationForm>
  );
}
