"use client";
import { useState } from "react";
import { useForm } from "react-hook-form";
import type { z } from "zod";
import { AmountField } from "@/components/form/amount-field";
import { FailureAlert } from "@/components/form/failure-alert";
import { formResolver } from "@/components/form/form-resolver";
import { INTERVAL_OPTIONS } from "@/components/form/interval-options";
import { MutationForm } from "@/components/form/mutation-form";
import { NumberField } from "@/components/form/number-field";
import { SelectField } from "@/components/form/select-field";
import { selfServiceText } from "@/components/keys/key-caps-text";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import { KeySelfService } from "@/lib/records/keys/contract";
import { useUpdateOrganization } from "./settings-queries";

const checkBody = formResolver(KeySelfService);
type Values = z.input<typeof KeySelfService>;

const FIRST_CAPS: Values = { max_keys: 3, max_limit: 10, limit_reset: "monthly", max_days: 90 };

/** Allows members to create keys, and caps those keys. */
export function SelfServiceForm({ caps }: { caps: KeySelfService | null }) {
  const change = useUpdateOrganization();
  const [isEditing, setEditing] = useState(false);
  const turnOff = () =>
    change.mutate({ key_self_service: null }, { onSuccess: () => toast.success("Self-service turned off") });
  if (isEditing) return <CapsForm caps={caps ?? FIRST_CAPS} onDone={() => setEditing(false)} />;
  return (
    <div className="grid gap-3">
      <p>{caps ? selfServiceText(caps) : "Off. Creating keys needs keys:write."}</p>
      {change.error && <FailureAlert failure={toFailure(change.error)} />}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setEditing(true)}>{caps ? "Edit caps" : "Allow members to create keys"}</Button>
        {caps && (
          <Button disabled={change.isPending} onClick={turnOff}>
            Turn off
          </Button>
        )}
      </div>
    </div>
  );
}

function CapsForm({ caps, onDone }: { caps: Values; onDone: () => void }) {
  const change = useUpdateOrganization();
  const form = useForm<Values>({ resolver: checkBody, defaultValues: caps });
  const { control } = form;
  return (
    <MutationForm
      form={form}
      mutation={change}
      toVariables={(key_self_service) => ({ key_self_service })}
      onSaved={() => {
        toast.success("Self-service saved");
        onDone();
      }}
      action="Save"
      isGuarded
      onCancel={onDone}
      inCard
      label="Self-service keys"
      className="max-w-xl"
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
    </MutationForm>
  );
}
