"use client";
import { useFormState, type Control } from "react-hook-form";
import { ChipsField } from "@/components/form/chips-field";
import { FoldedFields } from "@/components/form/folded-fields";
import { MutationForm } from "@/components/form/mutation-form";
import { NumberField } from "@/components/form/number-field";
import { SelectField } from "@/components/form/select-field";
import { SwitchField } from "@/components/form/switch-field";
import { TextField } from "@/components/form/text-field";
import type { SignInConnection } from "@/lib/records/sign-in-connections/contract";
import { BUILT_IN_ROLES } from "@/lib/records/roles/vocabulary";
import { FIRST_ROLES } from "@/lib/records/sign-in-connections/vocabulary";
import type { ConnectionForm, ConnectionValues } from "./connection-form";

export const DOMAINS_HINT = "Only people with an address in one of them can get or link an account.";

const FIRST_ROLE_OPTIONS = FIRST_ROLES.map((value) => ({ value, label: BUILT_IN_ROLES[value].name }));

export const accessValues = ({
  name,
  domains,
  claims,
  creates_members,
  default_role,
  trust_email,
  manages_names,
  max_session_hours,
}: SignInConnection): ConnectionValues => ({
  name,
  domains,
  claims,
  creates_members,
  default_role,
  trust_email,
  manages_names,
  max_session_hours,
});

/** Who signs in with a connection, and what the provider decides about them. */
export function AccessForm({ connection, edit }: { connection: SignInConnection; edit: ConnectionForm }) {
  const { control } = edit.form;
  return (
    <MutationForm {...edit} action="Save access" label="Access">
      <TextField control={control} name="name" label="Name" input={{ autoComplete: "off", maxLength: 100 }} />
      <ChipsField control={control} name="domains" label="Email domains" hint={DOMAINS_HINT} placeholder="acme.com" />
      <SwitchField
        control={control}
        name="creates_members"
        label="Create accounts"
        hint="People without an account get one when they sign in."
      />
      <SelectField control={control} name="default_role" label="Role of new accounts" options={FIRST_ROLE_OPTIONS} />
      <SwitchField
        control={control}
        name="trust_email"
        label="Link accounts by address"
        hint="At their first sign-in, members keep the account that has the address the provider sends."
      />
      <SwitchField
        control={control}
        name="manages_names"
        label="Update names"
        hint="Names follow the provider at each sign-in."
      />
      <NumberField
        control={control}
        name="max_session_hours"
        label="Longest session (hours)"
        hint="Then members sign in again. Leave blank for 14 days."
      />
      <ClaimFields control={control} claims={connection.claims} />
    </MutationForm>
  );
}

function ClaimFields({ control, claims }: { control: Control<ConnectionValues>; claims: SignInConnection["claims"] }) {
  const { errors } = useFormState({ control, name: "claims" });
  const field = (name: keyof SignInConnection["claims"], label: string, hint?: string) => (
    <TextField
      control={control}
      name={`claims.${name}`}
      label={label}
      hint={hint}
      input={{ autoComplete: "off", spellCheck: false, maxLength: 200 }}
    />
  );
  return (
    <FoldedFields
      title="Claims"
      summary={[claims.email, claims.first_name, claims.last_name, claims.groups].join(", ")}
      hasError={errors.claims !== undefined}
    >
      {field("email", "Email claim")}
      {field("first_name", "First name claim")}
      {field("last_name", "Last name claim")}
      {field("groups", "Groups claim", "Its values are compared with the claim value of your groups.")}
    </FoldedFields>
  );
}
