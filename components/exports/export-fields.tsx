"use client";
import { useFormContext, useWatch, type Control } from "react-hook-form";
import { HeaderRows } from "@/components/form/header-rows";
import { NumberField } from "@/components/form/number-field";
import { SecretField } from "@/components/form/secret-field";
import { SelectField } from "@/components/form/select-field";
import { SwitchField } from "@/components/form/switch-field";
import { TextField } from "@/components/form/text-field";
import type { ExportDestination } from "@/lib/features/exports/contract";
import { EXPORT_CONTENTS, type ExportKind, EXPORT_SIGNALS } from "@/lib/features/exports/vocabulary";
import { fieldErrors } from "@/components/form/field-errors";
import { useField } from "@/components/form/use-field";
import { Checkbox } from "@/components/ui/checkbox";
import { CONTENT_HINTS, CONTENT_LABELS, SIGNAL_HINTS, SIGNAL_LABELS } from "./export-text";
import type { ExportValues } from "./export-values";

const CONTENT_OPTIONS = EXPORT_CONTENTS.map((value) => ({ value, label: CONTENT_LABELS[value] }));

interface ExportFieldsProps {
  kind: ExportKind;
  /** The stored destination; omitted for a new one. */
  stored?: ExportDestination;
}

/** Fields that the forms of new and stored destinations share. */
export function ExportFields({ kind, stored }: ExportFieldsProps) {
  const { control } = useFormContext<ExportValues>();
  const content = useWatch({ control, name: "content" }) ?? "none";
  return (
    <>
      <TextField control={control} name="name" label="Name" input={{ autoComplete: "off", maxLength: 100 }} />
      {kind === "otlp" ? (
        <>
          <TextField
            control={control}
            name="otlp.url"
            label="URL"
            hint="Endpoint of OTLP over HTTP. /v1/traces at its end becomes /v1/logs for logs. Redirects aren't followed."
            input={{ type: "url", placeholder: "https://otel.example.com/v1/traces", autoComplete: "off" }}
          />
          <SignalsField control={control} />
          <HeaderRows control={control} name="otlp.headers" stored={stored?.otlp?.header_names ?? []} none={{}} />
        </>
      ) : (
        <BucketFields control={control} isStored={stored !== undefined} />
      )}
      <SelectField
        control={control}
        name="content"
        label="Prompts and completions"
        hint={CONTENT_HINTS[content]}
        options={CONTENT_OPTIONS}
      />
    </>
  );
}

function BucketFields({ control, isStored }: { control: Control<ExportValues>; isStored: boolean }) {
  const input = { autoComplete: "off", spellCheck: false } as const;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField control={control} name="s3.bucket" label="Bucket" input={input} />
        <TextField control={control} name="s3.region" label="Region" input={input} />
        <TextField
          control={control}
          name="s3.endpoint"
          label="Endpoint"
          hint="For S3-compatible services. Leave blank for AWS."
          isNullable
          input={{ ...input, type: "url", placeholder: "https://storage.example.com" }}
        />
        <TextField
          control={control}
          name="s3.prefix"
          label="Folder"
          hint="Ends with /. Leave blank for the top of the bucket."
          input={{ ...input, placeholder: "signalbox/" }}
        />
        <TextField control={control} name="s3.access_key_id" label="Access key ID" input={input} />
        <SecretField
          control={control}
          name="s3.secret_access_key"
          label="Secret access key"
          hint="Encrypted at rest and not shown again."
          isStored={isStored}
          isRequired
        />
        <NumberField
          control={control}
          name="s3.interval_minutes"
          label="Interval (minutes)"
          hint="Time between files."
        />
      </div>
      <SwitchField
        control={control}
        name="s3.path_style"
        label="Path-style URLs"
        hint="Use the bucket in the path instead of the host, as many S3-compatible services require."
      />
    </>
  );
}

/** Signals that a collector receives. */
function SignalsField({ control }: { control: Control<ExportValues> }) {
  const { field, fieldState } = useField({ control, name: "otlp.signals" });
  const chosen = field.value ?? [];
  const [error] = fieldErrors(fieldState.error);
  return (
    <fieldset className="grid gap-1.5" aria-describedby={error ? "signals-error" : undefined}>
      <legend className="float-left text-[13px] font-medium">Signals</legend>
      <div className="grid">
        {EXPORT_SIGNALS.map((signal) => (
          <Checkbox
            key={signal}
            checked={chosen.includes(signal)}
            onChange={(isOn) =>
              field.onChange(EXPORT_SIGNALS.filter((one) => (one === signal ? isOn : chosen.includes(one))))
            }
            label={
              <>
                {SIGNAL_LABELS[signal]} <span className="text-muted">({SIGNAL_HINTS[signal]})</span>
              </>
            }
          />
        ))}
      </div>
      {error && (
        <p id="signals-error" className="text-[13px] text-danger">
          {chosen.length === 0 ? "Select at least one signal" : error}
        </p>
      )}
    </fieldset>
  );
}
