import { useWatch, type UseFormReturn } from "react-hook-form";
import { NumberField } from "@/components/form/number-field";
import { SecretField } from "@/components/form/secret-field";
import { SelectField } from "@/components/form/select-field";
import { TextField } from "@/components/form/text-field";
import { CHECK_FORMAT_OPTIONS } from "./check-options";
import { DIRECTION_OPTIONS } from "./filter-options";
import type { GuardrailValues } from "./guardrail-values";
import { RowHead } from "./row-list";
import { useIsUnused } from "./use-rows";

interface CheckRowProps {
  form: UseFormReturn<GuardrailValues>;
  index: number;
  hasSecret: boolean;
  onRemove: () => void;
}

const SECRET_HINTS = {
  signalbox: "Signs each request: whsec_ and 24 to 64 bytes in base64.",
  litellm: "Sent as bearer token and X-API-Key.",
} as const;

export function CheckRow({ form, index, hasSecret, onRemove }: CheckRowProps) {
  const { control } = form;
  useIsUnused(form, `external_checks.${index}.name`);
  useIsUnused(form, `external_checks.${index}.url`);
  const format = useWatch({ control, name: `external_checks.${index}.format` }) ?? "signalbox";
  return (
    <div role="group" aria-label={`External check ${index + 1}`} className="grid gap-3">
      <RowHead removeLabel={`Remove check ${index + 1}`} onRemove={onRemove}>
        <TextField
          control={control}
          name={`external_checks.${index}.name`}
          label="Name"
          input={{ autoComplete: "off", placeholder: "tone" }}
        />
        <TextField
          control={control}
          name={`external_checks.${index}.url`}
          label="URL"
          input={{ autoComplete: "off", inputMode: "url", placeholder: "https://checks.example.com/tone" }}
        />
      </RowHead>
      <div className="grid gap-3 sm:grid-cols-3">
        <SelectField
          control={control}
          name={`external_checks.${index}.format`}
          label="Format"
          options={CHECK_FORMAT_OPTIONS}
        />
        <SelectField
          control={control}
          name={`external_checks.${index}.scope`}
          label="Scope"
          options={DIRECTION_OPTIONS}
          absent="request"
        />
        <NumberField control={control} name={`external_checks.${index}.timeout_ms`} label="Deadline (ms)" />
      </div>
      <SecretField
        control={control}
        name={`external_checks.${index}.secret`}
        label="Secret"
        hint={`${SECRET_HINTS[format]} Encrypted at rest and not shown again.`}
        isStored={hasSecret}
      />
    </div>
  );
}
