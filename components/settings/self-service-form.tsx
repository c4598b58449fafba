"use client";
import { useState } from "react";
import { useForm } from "react-hook-form";
import type { z } from "zod";
import { AmountField } from "@/components/form/amount-field";
import { FailureAlert } from "@/components/form/failure-alert";
import { formResolver } from "@/components/form/form-resolver";
import { INTERVAL_OPTIONS } from "@/components/form/interval-options";
import { NumberField } from "@/components/form/number-field";
import { SelectField } from "@/components/form/select-field";
import { UnsavedGuard } from "@/components/form/unsaved-guard";
import { selfServiceText } from "@/components/keys/key-caps-text";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { toFailure, type ApiFailure } from "@/lib/browser/api-failure";
import { KeySelfService } from "@/lib/records/keys/contract";
import { useUpdateOrganization } from "./settings-queries";

const checkBody = formResolver(KeySelfService);
type Values = z.input<typeof KeySelfService>;

const FIRST_CAPS: Values = { max_keys: 3, max_limit: 10, limit_reset: "monthly", max_days: 90 };

/** Allows members to create keys, and caps those keys. */
export function SelfServiceForm({ caps }: { caps: KeySelfService | null }) {
  const change = useUpdateOrganization();
  const [isEditing, setEditing] = useState(false);
  const save = (key_self_service: Values | null) =>
    change.mutate(
      { key_self_service },
      {
        onSuccess: () => {
          setEditing(false);
          toast.success(key_self_service ? "Self-service saved" : "Self-service turned off");
        },
      },
    );
  const failure = change.error && toFailure(change.error);
  if (isEditing)
    return (
      <CapsForm
        caps={caps ?? FIRST_CAPS}
        isPending={change.isPending}
        failure={failure}
        onSave={save}
        onCancel={() => setEditing(false)}
      />
    );
  return (
    <div className="grid gap-3">
      <p>{caps ? selfServiceText(caps) : "Off. Only admins create keys."}</p>
      {failure && <FailureAlert failure={failure} />}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setEditing(true)}>{caps ? "Edit caps" : "Allow members to create keys"}</Button>
        {caps && (
          <Button disabled={change.isPending} onClick={() => save(null)}>
            Turn off
          </Button>
        )}
      </div>
    </div>
  );
}

interface CapsFormProps {
  caps: Values;
  isPending: boolean;
  failure: ApiFailure | null;
  onSave: (caps: Values) => void;
  onCancel: () => void;
}

function CapsForm({ caps, isPending, failure, onSave, onCancel }: CapsFormProps) {
  const form = useForm<Values>({ resolver: checkBody, defaultValues: caps });
  const { control, formState } = form;
  const submit = form.handleSubmit(onSave);
  return (
    <form
      noValidate
      aria-label="Self-service keys"
      onSubmit={(event) => void submit(event)}
      className="grid max-w-xl gap-4"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField control={control} name="max_keys" label="Keys per member" hint="Disabled keys count too." />
        <NumberField
          control={control}
          name="max_days"
          label="Expire within (days)"
          hint="Leave blank for keys without expiration."
        />
        <AmountField control={control} name="max_limit" label="Highest limit (USD)" hint="Leave blank for no limit." />
        <SelectField
          control={control}
          name="limit_reset"
          label="Limit resets"
          none="Never"
          hint="Members may choose a longer interval."
          options={INTERVAL_OPTIONS}
        />
      </div>
      {failure && <FailureAlert failure={failure} />}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" disabled={isPending}>
          Save
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
      <UnsavedGuard isDirty={formState.isDirty} />
    </form>
  );
}
