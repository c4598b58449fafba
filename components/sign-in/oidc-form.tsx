"use client";
import { ChipsField } from "@/components/form/chips-field";
import { MutationForm } from "@/components/form/mutation-form";
import { SecretField } from "@/components/form/secret-field";
import { TextField } from "@/components/form/text-field";
import { InlineCode } from "@/components/ui/inline-code";
import type { SignInConnection } from "@/lib/records/sign-in-connections/contract";
import type { ConnectionForm, ConnectionValues } from "./connection-form";

/** Values of a stored connection. Undefined keeps its secret. */
export const oidcValues = ({ oidc }: SignInConnection): ConnectionValues => ({
  oidc: {
    issuer: oidc?.issuer ?? "",
    client_id: oidc?.client_id ?? "",
    client_secret: undefined,
    scopes: oidc?.scopes ?? [],
  },
});

/** What the provider says about the application that was registered there. */
export function OidcForm({ connection, edit }: { connection: SignInConnection; edit: ConnectionForm }) {
  const { control } = edit.form;
  return (
    <MutationForm {...edit} action="Save provider" label="Provider">
      <TextField
        control={control}
        name="oidc.issuer"
        label="Issuer"
        hint={<InlineCode text="Without `/.well-known/openid-configuration`, for example `https://acme.okta.com`." />}
        input={{ type: "url", autoComplete: "off", maxLength: 2000 }}
      />
      <TextField
        control={control}
        name="oidc.client_id"
        label="Client ID"
        input={{ autoComplete: "off", spellCheck: false, maxLength: 500 }}
      />
      <SecretField
        control={control}
        name="oidc.client_secret"
        label="Client secret"
        isStored={connection.oidc?.has_client_secret === true}
      />
      <ChipsField
        control={control}
        name="oidc.scopes"
        label="Scopes"
        hint={<InlineCode text="Some providers send groups only with a scope such as `groups`." />}
      />
    </MutationForm>
  );
}
