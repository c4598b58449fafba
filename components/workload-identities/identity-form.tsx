"use client";
import { useState } from "react";
import { useForm, useFormState, useWatch, type Control } from "react-hook-form";
import { Field } from "@/components/form/field";
import { fieldErrors } from "@/components/form/field-errors";
import { FoldedFields } from "@/components/form/folded-fields";
import { MutationForm } from "@/components/form/mutation-form";
import { NameValueRows, type NameValueRow } from "@/components/form/name-value-rows";
import { NumberField } from "@/components/form/number-field";
import { TextField } from "@/components/form/text-field";
import { useField } from "@/components/form/use-field";
import { useFreshErrors } from "@/components/form/use-fresh-errors";
import { InlineCode } from "@/components/ui/inline-code";
import { Select } from "@/components/ui/select";
import { useOrigin } from "@/lib/browser/use-origin";
import { count } from "@/lib/platform/count";
import type { WorkloadIdentity } from "@/lib/records/workload-identities/contract";
import { useSaveIdentity } from "./identity-queries";
import { bodyOf, checkIdentity, newValues, valuesOf, type IdentityValues } from "./identity-values";
import { platformOf, PLATFORMS, type Platform } from "./platforms";

const PLATFORM_OPTIONS = (["github", "gitlab", "kubernetes", "other"] as const).map((value) => ({
  value,
  label: PLATFORMS[value].label,
}));

interface IdentityFormProps {
  keyHash: string;
  /** Null for a new identity. */
  identity: WorkloadIdentity | null;
  onSaved: (identity: WorkloadIdentity) => void;
  onCancel: () => void;
}

export function IdentityForm({ keyHash, identity, onSaved, onCancel }: IdentityFormProps) {
  const saving = useSaveIdentity(keyHash, identity?.id ?? null);
  const origin = useOrigin();
  const form = useForm<IdentityValues>({
    resolver: checkIdentity,
    defaultValues: identity ? valuesOf(identity) : newValues(origin),
  });
  const { control } = form;
  useFreshErrors(form);
  const [platform, setPlatform] = useState<Platform>(identity ? platformOf(identity) : "github");
  const choose = (next: Platform) => {
    if (form.getValues("issuer") === PLATFORMS[platform].issuer)
      form.setValue("issuer", PLATFORMS[next].issuer, { shouldDirty: true });
    setPlatform(next);
  };
  const { issuerHint, subject } = PLATFORMS[platform];
  const subjectHint = `The token’s \`sub\`${subject ? `, for example \`${subject}\`` : ""}. \`*\` stands for any text.`;
  return (
    <MutationForm
      form={form}
      mutation={saving}
      toVariables={bodyOf}
      onSaved={({ data }) => onSaved(data)}
      action={identity ? "Save changes" : "Add identity"}
      isEdit={identity !== null}
      onCancel={onCancel}
    >
      <Field label="Platform" errors={[]}>
        {(wiring) => <Select {...wiring} value={platform} onValueChange={choose} options={PLATFORM_OPTIONS} />}
      </Field>
      <TextField control={control} name="name" label="Name" input={{ autoComplete: "off", maxLength: 100 }} />
      <TextField
        control={control}
        name="issuer"
        label="Issuer"
        hint={<InlineCode text={issuerHint} />}
        input={{ type: "url", autoComplete: "off", maxLength: 500 }}
      />
      <TextField
        control={control}
        name="audience"
        label="Audience"
        hint={<InlineCode text="The token’s `aud` must contain it." />}
        input={{ autoComplete: "off", maxLength: 500 }}
      />
      <TextField
        control={control}
        name="claims"
        label="Subject"
        hint={<InlineCode text={subjectHint} />}
        input={{ autoComplete: "off", spellCheck: false, maxLength: 500 }}
      />
      <MoreFields control={control} />
    </MutationForm>
  );
}

/** Further claims, lifetime and public keys. */
function MoreFields({ control }: { control: Control<IdentityValues> }) {
  const names = ["further", "minutes", "jwks"] as const;
  const [further, minutes, jwks] = useWatch({ control, name: names });
  const { errors } = useFormState({ control, name: names });
  const summary = [
    ...(further.length > 0 ? [count(further.length, "further claim")] : []),
    count(minutes ?? 0, "minute"),
    jwks.trim() === "" ? "public keys from the issuer" : "own public keys",
  ];
  return (
    <FoldedFields title="More" summary={summary.join(", ")} hasError={names.some((name) => errors[name])}>
      <FurtherClaims control={control} />
      <NumberField
        control={control}
        name="minutes"
        label="Lifetime (minutes)"
        hint="How long an exchanged key is valid."
      />
      <TextField
        control={control}
        name="jwks"
        label="Public keys (JWKS)"
        rows={4}
        hint={
          <InlineCode text="Leave blank if Signalbox can reach the issuer. For Kubernetes, the output of `kubectl get --raw /openid/v1/jwks`." />
        }
      />
    </FoldedFields>
  );
}

function FurtherClaims({ control }: { control: Control<IdentityValues> }) {
  const { field, fieldState } = useField({ control, name: "further" });
  const [rows, setRows] = useState<readonly NameValueRow[]>(() =>
    field.value.map((claim, index) => ({ id: index + 1, ...claim })),
  );
  const change = (next: readonly NameValueRow[]) => {
    setRows(next);
    field.onChange(next.map(({ name, value }) => ({ name, value })));
  };
  return (
    <NameValueRows
      legend="Further claims"
      noun="Claim"
      rows={rows}
      onChange={change}
      errors={fieldErrors(fieldState.error)}
      example="environment"
      action="Add claim"
    />
  );
}
