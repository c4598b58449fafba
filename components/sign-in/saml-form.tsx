"use client";
import { useState } from "react";
import { MutationForm } from "@/components/form/mutation-form";
import { TextField } from "@/components/form/text-field";
import type { SignInConnection } from "@/lib/records/sign-in-connections/contract";
import { CertificateList } from "./certificate-list";
import { CertificatesField } from "./certificates-field";
import type { ConnectionForm, ConnectionValues } from "./connection-form";
import { MetadataImport } from "./metadata-import";

export const samlValues = ({ saml }: SignInConnection): ConnectionValues => ({
  saml: {
    entity_id: saml?.entity_id ?? "",
    sso_url: saml?.sso_url ?? "",
    slo_url: saml?.slo_url ?? null,
    certificates: (saml?.certificates ?? []).map((certificate) => `${certificate.trim()}\n`),
  },
});

/** The provider's settings, from its metadata or entered one by one. */
export function SamlForm({ connection, edit }: { connection: SignInConnection; edit: ConnectionForm }) {
  const { form } = edit;
  const { control } = form;
  const [saves, setSaves] = useState(0);
  const onSaved: typeof edit.onSaved = (saved) => {
    edit.onSaved(saved);
    setSaves(saves + 1);
  };
  return (
    <div className="grid gap-4">
      <MetadataImport
        // Resets it after saving, because it asks to save.
        key={saves}
        onRead={({ entity_id, sso_url, slo_url, certificates }) => {
          const change = { shouldDirty: true, shouldValidate: true };
          form.setValue("saml.entity_id", entity_id, change);
          form.setValue("saml.sso_url", sso_url, change);
          form.setValue("saml.slo_url", slo_url, change);
          form.setValue("saml.certificates", certificates, change);
        }}
      />
      <MutationForm {...edit} onSaved={onSaved} action="Save provider" label="Provider">
        <TextField
          control={control}
          name="saml.entity_id"
          label="Entity ID"
          hint="Also called issuer or identifier."
          input={{ autoComplete: "off", spellCheck: false, maxLength: 1000 }}
        />
        <TextField
          control={control}
          name="saml.sso_url"
          label="Sign-in URL"
          hint="For the binding HTTP redirect."
          input={{ type: "url", autoComplete: "off", maxLength: 2000 }}
        />
        <TextField
          control={control}
          name="saml.slo_url"
          label="Sign-out URL"
          hint="Leave blank if the provider has none. Signing out then ends only the session here."
          isNullable
          input={{ type: "url", autoComplete: "off", maxLength: 2000 }}
        />
        <CertificatesField control={control} name="saml.certificates" />
      </MutationForm>
      <CertificateList connection={connection} />
    </div>
  );
}
