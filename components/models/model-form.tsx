"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useFieldArray, useForm, useFormContext, useFormState } from "react-hook-form";
import type { z } from "zod";
import { fieldErrors } from "@/components/form/field-errors";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { NumberField } from "@/components/form/number-field";
import { TextField } from "@/components/form/text-field";
import { providerChoicesQuery } from "@/components/providers/provider-queries";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { CreateModelBody, UpdateModelBody, type Model } from "@/lib/records/models/contract";
import { EndpointFields, type ModelValues } from "./endpoint-fields";
import { useCreateModel, useUpdateModel } from "./model-queries";

type NewValues = z.input<typeof CreateModelBody>;
type EndpointPrice = NewValues["endpoints"][number]["price"];

const isBlank = (value: unknown) => value === undefined || value === null || value === "";

/** The price without blank fields, except those that a price needs; null, for unknown, if all are blank. */
function knownPrice(price: EndpointPrice): EndpointPrice {
  if (!price || Object.values(price).every(isBlank)) return null;
  const { prompt, completion, ...others } = price;
  return { prompt, completion, ...Object.fromEntries(Object.entries(others).filter(([, value]) => !isBlank(value))) };
}

const withUnknownPrices = <Values extends ModelValues>(values: Values): Values => ({
  ...values,
  endpoints: values.endpoints?.map((endpoint) => ({ ...endpoint, price: knownPrice(endpoint.price) })),
});

const changeResolver = formResolver(UpdateModelBody);
const creationResolver = formResolver(CreateModelBody);
const checkChange: typeof changeResolver = (values, ...rest) => changeResolver(withUnknownPrices(values), ...rest);
const checkCreation: typeof creationResolver = (values, ...rest) =>
  creationResolver(withUnknownPrices(values), ...rest);

const NEW_ENDPOINT = { provider: "", price: { prompt: "", completion: "" } };

const toValues = ({ name, vendor, context_length, max_output_tokens, endpoints }: Model): ModelValues => ({
  name,
  vendor,
  context_length,
  max_output_tokens,
  endpoints: endpoints.map(({ quantization, ...endpoint }) => ({ ...endpoint, quantization: quantization as null })),
});

interface ModelFormProps {
  /** Null for a new model. */
  model: Model | null;
  onDone: () => void;
}

export function ModelForm({ model, onDone }: ModelFormProps) {
  return model ? <EditForm model={model} /> : <CreateForm onDone={onDone} />;
}

function EditForm({ model }: { model: Model }) {
  const update = useUpdateModel(model.slug);
  const form = useForm<ModelValues, unknown, UpdateModelBody>({
    resolver: checkChange,
    defaultValues: toValues(model),
  });
  return (
    <MutationForm
      form={form}
      mutation={update}
      onSaved={({ data }) => {
        form.reset(toValues(data));
        toast.success(`“${data.name}” saved`);
      }}
      action="Save changes"
      isEdit
      label="Model"
    >
      <ModelFields />
    </MutationForm>
  );
}

function CreateForm({ onDone }: { onDone: () => void }) {
  const creation = useCreateModel();
  const form = useForm<NewValues, unknown, CreateModelBody>({
    resolver: checkCreation,
    defaultValues: { slug: "", context_length: null, max_output_tokens: null, endpoints: [NEW_ENDPOINT] },
  });
  return (
    <MutationForm
      form={form}
      mutation={creation}
      onSaved={({ data }) => {
        toast.success(`“${data.name}” added`);
        onDone();
      }}
      action="Add model"
      label="New model"
    >
      <TextField
        control={form.control}
        name="slug"
        label="Slug"
        hint="Identifier used in requests and guardrails, e.g. openai/gpt-5. Can't be changed later."
        input={{ autoComplete: "off", placeholder: "acme/large", autoFocus: true }}
      />
      <ModelFields isNew />
    </MutationForm>
  );
}

/** Fields that the forms of new and stored models share. */
function ModelFields({ isNew = false }: { isNew?: boolean }) {
  const { control } = useFormContext<ModelValues>();
  const { data: providers } = useQuery(providerChoicesQuery);
  const { fields, append, remove } = useFieldArray({ control, name: "endpoints" });
  const { errors } = useFormState({ control, name: "endpoints" });
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField
          control={control}
          name="name"
          label="Name"
          hint={isNew ? "Leave blank to use the slug." : undefined}
          isOptional={isNew}
          input={{ autoComplete: "off" }}
        />
        <TextField
          control={control}
          name="vendor"
          label="Vendor"
          hint={
            isNew
              ? "Who made the model. Leave blank to use the maker that its names imply."
              : "Guardrails group models by vendor."
          }
          isOptional={isNew}
          input={{ autoComplete: "off" }}
        />
        <NumberField
          control={control}
          name="context_length"
          label="Context length"
          hint="Context length in tokens (optional)"
        />
        <NumberField
          control={control}
          name="max_output_tokens"
          label="Max output tokens"
          hint="Reserved in budgets for requests without an output limit. Leave blank for the known maximum."
        />
      </div>
      <h3 className="mt-2 font-semibold">Endpoints</h3>
      {fields.map((field, index) => (
        <EndpointFields
          key={field.id}
          control={control}
          index={index}
          providers={providers?.data ?? []}
          onRemove={fields.length > 1 ? () => remove(index) : null}
        />
      ))}
      {fieldErrors(errors.endpoints?.root ?? (Array.isArray(errors.endpoints) ? undefined : errors.endpoints)).map(
        (error) => (
          <p key={error} role="alert" className="text-[13px] text-danger">
            {error}
          </p>
        ),
      )}
      <div>
        <Button size="sm" onClick={() => append(NEW_ENDPOINT)}>
          <Plus aria-hidden /> Add endpoint
        </Button>
      </div>
    </>
  );
}
