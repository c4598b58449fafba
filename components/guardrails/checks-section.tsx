import { type UseFormReturn, useWatch } from "react-hook-form";
import { CHECK_DEFAULTS, MAX_CHECKS } from "@/lib/engine/checks/vocabulary";
import { NumberField } from "@/components/form/number-field";
import { SecretField } from "@/components/form/secret-field";
import { SelectField } from "@/components/form/select-field";
import { TextField } from "@/components/form/text-field";
import type { GuardrailValues } from "./guardrail-values";
import { RowList, RowHead } from "./row-list";
import { useRows, useIsUnused } from "./use-rows";
import { CHECK_FORMAT_OPTIONS } from "./check-options";
import { DIRECTION_OPTIONS } from "./filter-options";

const NEW_CHECK = { name: "", url: "", ...CHECK_DEFAULTS };

/** The guardrail's external checks. */
export function ChecksSection({ form }: { form: UseFormReturn<GuardrailValues> }) {
  const { fields, append, remove } = useRows(form, "external_checks");
  return (
    <>
      <p className="text-[13px] text-muted">
        HTTP endpoints that allow, block or redact requests and responses after the content filters. Requests and
        responses are rejected if an endpoint doesn't answer in time. A streamed response is held back until it has been
        checked. Use Try it to call the endpoints.
      </p>
      <RowList
        rows={fields}
        noun="check"
        plural="external checks"
        max={MAX_CHECKS}
        onAdd={() => append(NEW_CHECK)}
        onRemove={remove}
      >
        {({ has_secret }, index, onRemove) => (
          <CheckRow form={form} index={index} hasSecret={has_secret ?? false} onRemove={onRemove} />
        )}
      </RowList>
    </>
  );
}

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

function CheckRow({ form, index, hasSecret, onRemove }: CheckRowProps) {
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
