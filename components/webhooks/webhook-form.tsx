"use client";
import { useForm } from "react-hook-form";
import { FailureAlert } from "@/components/form/failure-alert";
import { formResolver } from "@/components/form/form-resolver";
import { showFailure } from "@/components/form/show-failure";
import { SwitchField } from "@/components/form/switch-field";
import { TextField } from "@/components/form/text-field";
import { UnsavedGuard } from "@/components/form/unsaved-guard";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
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
  const { control, formState } = form;
  const onError = (reason: Error) => showFailure(form, toFailure(reason));
  const submit = form.handleSubmit((body) => {
    if (!webhook) creation.mutate(body, { onError, onSuccess: ({ secret }) => onCreated?.(secret) });
    else
      update.mutate(body, {
        onError,
        onSuccess: ({ data }) => {
          form.reset(valuesOf(data));
          toast.success("Webhook saved");
        },
      });
  });
  const error = creation.error ?? update.error;
  return (
    <form noValidate aria-label="Webhook" onSubmit={(event) => void submit(event)} className="grid gap-4">
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
      {error && <FailureAlert failure={toFailure(error)} control={form.control} />}
      <div className="flex gap-2">
        <Button
          type="submit"
          variant="primary"
          disabled={creation.isPending || update.isPending || (webhook !== null && !formState.isDirty)}
        >
          {webhook ? "Save changes" : "Create webhook"}
        </Button>
      </div>
      <UnsavedGuard isDirty={formState.isDirty && !creation.isSuccess} />
    </form>
  );
}
