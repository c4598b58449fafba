"use client";
import { X } from "lucide-react";
import { useFormState, useWatch, type Control, type FieldPath, type FieldValues } from "react-hook-form";
import type { z } from "zod";
import { fieldErrors } from "@/components/form/field-errors";
import { SelectField } from "@/components/form/select-field";
import { TextField } from "@/components/form/text-field";
import { Button } from "@/components/ui/button";
import { DATA_REGIONS, QUANTIZATIONS } from "@/lib/engine/vocabulary";
import type { FactSource } from "@/lib/records/models/vocabulary";
import type { UpdateModelBody } from "@/lib/records/models/contract";
import type { Provider } from "@/lib/records/providers/contract";
import { Field } from "@/components/form/field";
import { useField } from "@/components/form/use-field";
import { Select } from "@/components/ui/select";

export type ModelValues = z.input<typeof UpdateModelBody>;

const QUANTIZATION_OPTIONS = QUANTIZATIONS.map((value) => ({ value, label: value }));
const DATA_REGION_OPTIONS = DATA_REGIONS.map((value) => ({ value, label: value }));

type PriceName = "prompt" | "completion" | "request" | (typeof MORE_PRICES)[number][0];

const PRICE_SOURCES = {
  catalogue: "catalogue",
  upstream: "the provider's list of models",
  admin: "entered by an admin",
  unknown: "unknown",
} as const satisfies Record<FactSource, string>;

const AS_PROMPT = "Per million tokens. Leave blank for the prompt price.";
const AS_COMPLETION = "Per million tokens. Leave blank for the completion price.";

/** Prices that only some vendors have. */
const MORE_PRICES = [
  ["cache_read", "Cached prompt (USD)", AS_PROMPT],
  ["cache_write", "Cache write (USD)", AS_PROMPT],
  ["cache_write_1h", "One-hour cache write (USD)", "Per million tokens. Leave blank for the cache write price."],
  ["audio_input", "Audio input (USD)", AS_PROMPT],
  ["image_input", "Image input (USD)", AS_PROMPT],
  ["audio_output", "Audio output (USD)", AS_COMPLETION],
  ["image_output", "Image output (USD)", AS_COMPLETION],
  ["reasoning", "Reasoning (USD)", AS_COMPLETION],
  ["web_search", "Web search (USD)", "Per search. Leave blank if searches aren't billed."],
] as const;

/** Prices of an endpoint. Rare ones are folded. */
function PriceFields({ control, index }: Pick<EndpointFieldsProps, "control" | "index">) {
  const source = useWatch({ control, name: `endpoints.${index}.price_source` });
  const price = (name: PriceName, label: string, hint: string) => (
    <TextField
      key={name}
      control={control}
      name={`endpoints.${index}.price.${name}`}
      label={label}
      hint={hint}
      input={{ inputMode: "decimal", autoComplete: "off", placeholder: "0.00", className: "tabular-nums" }}
      isOptional={name !== "prompt" && name !== "completion"}
    />
  );
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        {price("prompt", "Prompt price (USD)", "Per million tokens")}
        {price("completion", "Completion price (USD)", "Per million tokens")}
        {price("request", "Request price (USD)", "Per request")}
      </div>
      <p className="text-[13px] text-muted">
        {source && `Source of the price: ${PRICE_SOURCES[source]}. `}
        Leave all prices blank if they are unknown: spending limits then reject the model. Enter 0 if it is free.
      </p>
      <details>
        <summary className="cursor-pointer text-[13px] text-muted">
          Prices for cached, audio, image and reasoning tokens, and web searches
        </summary>
        <div className="mt-3 grid gap-4 sm:grid-cols-3">
          {MORE_PRICES.map(([name, label, hint]) => price(name, label, hint))}
        </div>
      </details>
    </>
  );
}

interface EndpointFieldsProps {
  control: Control<ModelValues>;
  index: number;
  providers: readonly Provider[];
  /** Null for the last endpoint, which can't be removed. */
  onRemove: (() => void) | null;
}

/** Endpoint of a model, with its prices. */
export function EndpointFields({ control, index, providers, onRemove }: EndpointFieldsProps) {
  const at = `endpoints.${index}` as const;
  const { errors } = useFormState({ control, name: at });
  const own = errors.endpoints?.[index];
  return (
    <div
      role="group"
      aria-label={`Endpoint ${index + 1}`}
      className="relative grid gap-4 rounded-lg border bg-surface p-4"
    >
      <div className="grid gap-4 pr-8 sm:grid-cols-2">
        <SelectField
          control={control}
          name={`${at}.provider`}
          label="Provider"
          options={providers.map(({ slug, name }) => ({
            value: slug,
            label: name === slug ? name : `${name} (${slug})`,
          }))}
        />
        <TextField
          control={control}
          name={`${at}.upstream_model`}
          label="Upstream model name"
          hint="Leave blank to use the slug without the vendor."
          isOptional
          input={{ autoComplete: "off" }}
        />
      </div>
      <PriceFields control={control} index={index} />
      <div className="grid gap-4 sm:grid-cols-3">
        <AnswerField control={control} name={`${at}.zdr`} label="Zero data retention" unknown="Same as provider" />
        <SelectField
          control={control}
          name={`${at}.quantization`}
          label="Quantization"
          none="Unknown"
          options={QUANTIZATION_OPTIONS}
        />
        <SelectField
          control={control}
          name={`${at}.data_region`}
          label="Data region"
          absent="global"
          options={DATA_REGION_OPTIONS}
        />
      </div>
      {fieldErrors(own && "message" in own ? { message: own.message } : undefined).map((error) => (
        <p key={error} role="alert" className="text-[13px] text-danger">
          This endpoint {error}
        </p>
      ))}
      {onRemove && (
        <Button
          variant="ghost"
          size="icon-sm"
          className="absolute top-3 right-3"
          aria-label={`Remove endpoint ${index + 1}`}
          onClick={onRemove}
        >
          <X aria-hidden />
        </Button>
      )}
    </div>
  );
}

interface AnswerFieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  label: string;
  /** Label for null. */
  unknown: string;
}

const ANSWERS = new Map([
  ["unknown", null],
  ["yes", true],
  ["no", false],
]);

/** Select with "Yes", "No" and unknown (null). */
function AnswerField<Values extends FieldValues>({ control, name, label, unknown }: AnswerFieldProps<Values>) {
  const { field, fieldState } = useField({ control, name });
  const value = field.value === true ? "yes" : field.value === false ? "no" : "unknown";
  const options = [
    { value: "unknown", label: unknown },
    { value: "yes", label: "Yes" },
    { value: "no", label: "No" },
  ];
  return (
    <Field label={label} errors={fieldErrors(fieldState.error)}>
      {(wiring) => (
        <Select
          {...wiring}
          value={value}
          onValueChange={(next) => field.onChange(ANSWERS.get(next))}
          options={options}
        />
      )}
    </Field>
  );
}
