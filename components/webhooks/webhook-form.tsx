"use client";
import { useForm } from "react-hook-form";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { SwitchField } from "@/components/form/switch-field";
import { TextField } from "@/components/form/text-field";
import { toast } from "@/components/ui/toast";
import { type Webhook, CreateWebhookBody } from "@/lib/records/webhooks/contract";
import { EventsField, type WebhookValues } from "./events-field";
import { useCreateWebhook, useUpdateWebhook } from "./webhook-queries";

const checkBody = formResolver(CreateWebhookBody);

const EMPTY: WebhookValues = {
  url: "",
  description: null,
  events: ["budget.threshold_reached", "budget.exhausted", "blocks.spike"],
  enabled: true,
};
const valuesOf = ({ url, description, events, enabled }: Webhook): WebhookValues => ({
  url,
  description,
  events,
  enabled,
});

interface WebhookFormProps {
  /** Null for a new webhook. */
  webhook: Webhook | null;
  /** Called with the secret of a new webhook. */
  onCreated?: (secret: string) => void;
}

export function WebhookForm({ webhook, onCreated }: WebhookFormProps) {
  const creation = useCreateWebhook();
  const update = useUpdateWebhook(webhook?.id ?? "");
  const form = useForm<WebhookValues>({
    resolver: checkBody,
    values: webhook ? valuesOf(webhook) : EMPTY,
    resetOptions: { keepDirtyValues: true },
  });
  const { control } = form;
  const fields = (
    <>
      <TextField
        control={control}
        name="url"
        label="URL"
        hint="Receives events as JSON POST requests. Redirects aren't followed."
        input={{
          type: "url",
          placeholder: "https://hooks.example.com/signalbox",
          autoComplete: "off",
          autoFocus: !webhook,
        }}
      />
      <TextField control={control} name="description" label="Description" isNullable input={{ autoComplete: "off" }} />
      <EventsField control={control} />
      {webhook && (
        <SwitchField control={control} name="enabled" label="Send events" hint="While off, events are dropped." />
      )}
    </>
  );
  return webhook ? (
    <MutationForm
      form={form}
      mutation={update}
      onSaved={({ data }) => {
        form.reset(valuesOf(data));
        toast.success("Webhook saved");
      }}
      action="Save changes"
      isEdit
      isGuarded
      label="Webhook"
    >
      {fields}
    </MutationForm>
  ) : (
    <MutationForm
      form={form}
      mutation={creation}
      onSaved={({ secret }) => onCreated?.(secret)}
      action="Create webhook"
      isGuarded
      label="Webhook"
    >
      {fields}
    </MutationForm>
  );
}
