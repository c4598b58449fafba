"use client";
import { useForm } from "react-hook-form";
import type { z } from "zod";
import { ChipsField } from "@/components/form/chips-field";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { SecretField } from "@/components/form/secret-field";
import { TextField } from "@/components/form/text-field";
import { InlineCode } from "@/components/ui/inline-code";
import { toast } from "@/components/ui/toast";
import { type SignInConnection, UpdateSignInConnectionBody } from "@/lib/records/sign-in-connections/contract";
import { useUpdateConnection } from "./connection-queries";

type Values = z.input<typeof UpdateSignInConnectionBody>;
const checkBody = formResolver(UpdateSignInConnectionBody);

/** Values of a stored connection. Undefined keeps its secret. */
const valuesOf = ({ oidc }: SignInConnection): Values => ({
  oidc: {
    issuer: oidc?.issuer ?? "",
    client_id: oidc?.client_id ?? "",
    client_secret: undefined,
    scopes: oidc?.scopes ?? [],
  },
});

/** What the provider says about the application that was registered there. */
export function OidcForm({ connection }: { connection: SignInConnection }) {
  const update = useUpdateConnection(connection.id);
  const form = useForm({
    resolver: checkBody,
    values: valuesOf(connection),
    resetOptions: { keepDirtyValues: true },
  });
  const { control } = form;
  return (
    <MutationForm
      form={form}
      mutation={update}
      onSaved={({ data }) => {
        form.reset(valuesOf(data), { keepDirtyValues: false });
        toast.success("Identity provider saved");
      }}
      action="Save provider"
      isEdit
      isGuarded
      label="Provider"
    >
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
