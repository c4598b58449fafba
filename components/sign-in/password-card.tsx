"use client";
import { useQuery } from "@tanstack/react-query";
import { FormSkeleton } from "@/components/form/form-skeleton";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { SelectField } from "@/components/form/select-field";
import { useEditForm } from "@/components/form/use-edit-form";
import { DataState } from "@/components/layout/data-state";
import { RecordField } from "@/components/layout/record-field";
import { foundBy, RECORD_SOURCES, type RecordSource } from "@/components/layout/record-sources";
import { memberOption } from "@/components/members/member-name";
import { Card } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
import { call } from "@/lib/browser/api-client";
import { listMembers } from "@/lib/browser/operations/members";
import { SignInSettings } from "@/lib/records/sign-in-connections/contract";
import { signInSettingsQuery, useUpdateSignInSettings } from "./connection-queries";

const checkBody = formResolver(SignInSettings);

const OPTIONS = [
  { value: "allowed", label: "Allowed for everybody" },
  { value: "break_glass_only", label: "Off, except for the break-glass member" },
] as const;

const OWNERS: RecordSource = {
  ...RECORD_SOURCES.user_id,
  id: "owner",
  find: (q) =>
    call(listMembers, { query: { ...foundBy(q), role: "org:owner", status: "active" } }).then(({ data }) =>
      data.map((member) => ({ value: member.id, label: memberOption(member) })),
    ),
};

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

const valuesOf = (settings: SignInSettings) => settings;

function PasswordForm({ settings }: { settings: SignInSettings }) {
  const change = useUpdateSignInSettings();
  const edit = useEditForm({
    resolver: checkBody,
    stored: settings,
    valuesOf,
    onSaved: () => toast.success("Sign-in settings saved"),
  });
  const { control } = edit.form;
  return (
    <MutationForm {...edit} mutation={change} action="Save" inCard label="Sign-in by password" className="max-w-xl">
      <SelectField control={control} name="password_sign_in" label="Passwords" options={OPTIONS} />
      <RecordField
        control={control}
        name="break_glass_member_id"
        label="Break-glass member"
        none="None"
        hint="An owner with a password. Each of their sign-ins by password is marked in the audit log."
        source={OWNERS}
      />
    </MutationForm>
  );
}
