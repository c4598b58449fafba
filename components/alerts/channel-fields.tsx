"use client";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import type { Control } from "react-hook-form";
import { fieldErrors } from "@/components/form/field-errors";
import { PickerField } from "@/components/form/picker-field";
import { SecretField } from "@/components/form/secret-field";
import { useField } from "@/components/form/use-field";
import { memberName } from "@/components/members/member-name";
import { foundMembersQuery } from "@/components/members/member-queries";
import { Checkbox } from "@/components/ui/checkbox";
import { TextLink } from "@/components/ui/text-link";
import { webhooksQuery } from "@/components/webhooks/webhook-queries";
import { alertsQuery } from "./alert-queries";
import type { AlertValues } from "./alert-values";

interface ChannelFieldsProps {
  control: Control<AlertValues>;
  /** Masked URL of the stored Slack webhook. */
  hasSlack: string | null;
}

/** Slack, email and webhooks that a rule notifies. */
export function ChannelFields({ control, hasSlack }: ChannelFieldsProps) {
  const [search, setSearch] = useState("");
  const members = useQuery(foundMembersQuery(useDeferredValue(search.trim()))).data?.data ?? [];
  const isEmailAvailable = useQuery(alertsQuery(null)).data?.email_available ?? false;
  return (
    <fieldset className="grid gap-4 border-t pt-4">
      <legend className="float-left font-semibold">Channels</legend>
      <SecretField
        control={control}
        name="slack_url"
        label="Slack webhook URL"
        hint="Incoming webhook of a Slack app. Encrypted at rest and not shown again."
        isStored={hasSlack !== null}
      />
      {hasSlack !== null && <p className="-mt-2 font-mono text-[13px] wrap-anywhere text-muted">{hasSlack}</p>}
      {isEmailAvailable ? (
        <PickerField
          control={control}
          name="emails"
          label="Email"
          placeholder="Search members or type an address"
          empty={[]}
          allowsAny
          onSearch={setSearch}
          options={members.map((member) => ({ value: member.email, label: memberName(member) }))}
        />
      ) : (
        <div className="grid gap-1 text-[13px]">
          <span className="font-medium">Email</span>
          <p className="text-muted">
            Not available: this server has no mail server. Set <code>SIGNALBOX_SMTP_URL</code> to send emails.
          </p>
        </div>
      )}
      <WebhooksField control={control} />
    </fieldset>
  );
}

function WebhooksField({ control }: { control: Control<AlertValues> }) {
  const webhooks = useQuery(webhooksQuery).data?.data ?? [];
  const { field, fieldState } = useField({ control, name: "webhook_ids" });
  const chosen = field.value ?? [];
  const toggle = (id: string, isOn: boolean) =>
    field.onChange(isOn ? [...chosen, id] : chosen.filter((other) => other !== id));
  return (
    <fieldset className="grid gap-1.5">
      <legend className="float-left text-[13px] font-medium">Webhooks</legend>
      {webhooks.length === 0 ? (
        <p className="text-[13px] text-muted">
          No webhooks yet. Create one in <TextLink href="/settings?tab=webhooks">settings</TextLink>.
        </p>
      ) : (
        webhooks.map(({ id, url }) => (
          <Checkbox
            key={id}
            checked={chosen.includes(id)}
            onChange={(isOn) => toggle(id, isOn)}
            label={<span className="wrap-anywhere">{url}</span>}
          />
        ))
      )}
      {fieldErrors(fieldState.error).map((error) => (
        <p key={error} role="alert" className="text-[13px] text-danger">
          {error}
        </p>
      ))}
    </fieldset>
  );
}
