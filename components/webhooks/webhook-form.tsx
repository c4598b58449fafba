"use client";
import { useForm, type Control } from "react-hook-form";
import type { z } from "zod";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { SwitchField } from "@/components/form/switch-field";
import { TextField } from "@/components/form/text-field";
import { useEditForm } from "@/components/form/use-edit-form";
import { toast } from "@/components/ui/toast";
import { CreateWebhookBody, UpdateWebhookBody, type Webhook } from "@/lib/records/webhooks/contract";
import { fieldErrors } from "@/components/form/field-errors";
import { useField } from "@/components/form/use-field";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { EVENT_TYPES, type EventType } from "@/lib/platform/outbox/vocabulary";
import { useCreateWebhook, useUpdateWebhook } from "./webhook-queries";

type NewWebhookBody = z.output<typeof CreateWebhookBody>;
const checkCreation = formResolver<WebhookValues, NewWebhookBody>(CreateWebhookBody);
const checkChange = formResolver(UpdateWebhookBody);

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

/** Calls back with the secret of the new webhook. */
export function NewWebhookForm({ onCreated }: { onCreated: (secret: string) => void }) {
  const creation = useCreateWebhook();
  const form = useForm<WebhookValues, unknown, NewWebhookBody>({ resolver: checkCreation, defaultValues: EMPTY });
  return (
    <MutationForm
      form={form}
      mutation={creation}
      onSaved={({ secret }) => onCreated(secret)}
      action="Create webhook"
      isGuarded
      label="Webhook"
    >
      <Fields control={form.control} isNew />
    </MutationForm>
  );
}

export function EditWebhookForm({ webhook }: { webhook: Webhook }) {
  const update = useUpdateWebhook(webhook.id);
  const edit = useEditForm({
    resolver: checkChange,
    stored: webhook,
    valuesOf,
    onSaved: () => toast.success("Webhook saved"),
  });
  const { control } = edit.form;
  return (
    <MutationForm {...edit} mutation={update} action="Save changes" label="Webhook">
      <Fields control={control} />
      <SwitchField control={control} name="enabled" label="Send events" hint="While off, events are dropped." />
    </MutationForm>
  );
}

const Fields = ({ control, isNew = false }: { control: Control<WebhookValues>; isNew?: boolean }) => (
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
        autoFocus: isNew,
      }}
    />
    <TextField control={control} name="description" label="Description" isNullable input={{ autoComplete: "off" }} />
    <EventsField control={control} />
  </>
);

type WebhookValues = z.input<typeof UpdateWebhookBody>;

const GROUPS = [
  { noun: "guardrail", title: "Guardrails" },
  { noun: "preset", title: "Presets" },
  { noun: "key", title: "Keys" },
  { noun: "budget", title: "Budgets" },
  { noun: "blocks", title: "Blocked requests" },
] as const;

const typesOf = (noun: string) => EVENT_TYPES.filter((type) => type.startsWith(`${noun}.`));
const wordsOf = (type: EventType) => type.slice(type.indexOf(".") + 1).replaceAll("_", " ");

/** Event selection, grouped by resource. */
function EventsField({ control }: { control: Control<WebhookValues> }) {
  const { field, fieldState } = useField({ control, name: "events" });
  const events = field.value ?? [];
  const chosen = new Set<EventType>(events);
  const choose = (next: ReadonlySet<string>) => field.onChange(EVENT_TYPES.filter((type) => next.has(type)));
  const toggle = (type: EventType, isOn: boolean) =>
    choose(isOn ? new Set([...chosen, type]) : new Set([...chosen].filter((other) => other !== type)));
  const isAll = chosen.size === EVENT_TYPES.length;
  const [error] = fieldErrors(fieldState.error);
  return (
    <fieldset className="grid gap-2" aria-describedby={error ? "events-error" : undefined}>
      <legend className="float-left text-[13px] font-medium">Events</legend>
      <div className="grid gap-x-4 gap-y-3 rounded-md border bg-surface p-3 sm:grid-cols-2">
        {GROUPS.map(({ noun, title }) => (
          <div key={noun} role="group" aria-label={title} className="grid content-start">
            <p className="text-[13px] text-muted">{title}</p>
            {typesOf(noun).map((type) => (
              <Checkbox
                key={type}
                checked={chosen.has(type)}
                onChange={(isOn) => toggle(type, isOn)}
                label={<span className="inline-block first-letter:uppercase">{wordsOf(type)}</span>}
              />
            ))}
          </div>
        ))}
        <div className="self-end">
          <Button size="sm" onClick={() => choose(new Set(isAll ? [] : EVENT_TYPES))}>
            {isAll ? "Clear selection" : "Select all"}
          </Button>
        </div>
      </div>
      {error && (
        <p id="events-error" className="text-[13px] text-danger">
          {events.length === 0 ? "Select at least one event" : error}
        </p>
      )}
    </fieldset>
  );
}
