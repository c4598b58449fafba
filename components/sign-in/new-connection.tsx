"use client";
import { useForm } from "react-hook-form";
import type { z } from "zod";
import { ChipsField } from "@/components/form/chips-field";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { SelectField } from "@/components/form/select-field";
import { TextField } from "@/components/form/text-field";
import { SideSheet } from "@/components/ui/side-sheet";
import { CreateSignInConnectionBody } from "@/lib/records/sign-in-connections/contract";
import { useCreateConnection } from "./connection-queries";
import { DOMAINS_HINT } from "./access-form";
import { PROTOCOL_OPTIONS } from "./protocols";

type Values = z.input<typeof CreateSignInConnectionBody>;
const checkBody = formResolver(CreateSignInConnectionBody);

interface NewConnectionProps {
  onClose: () => void;
  /** Called with the ID of the new connection, whose addresses the provider needs next. */
  onCreated: (id: string) => void;
}

/** First step: name, protocol and domains. The provider's settings follow when it has the addresses. */
export function NewConnection({ onClose, onCreated }: NewConnectionProps) {
  const creation = useCreateConnection();
  const form = useForm({
    resolver: checkBody,
    defaultValues: { name: "", protocol: "oidc", domains: [] } as Values,
  });
  const { control } = form;
  return (
    <SideSheet open onClose={onClose} title="New identity provider">
      <MutationForm
        form={form}
        mutation={creation}
        onSaved={({ data }) => onCreated(data.id)}
        action="Continue"
        isGuarded
        label="Identity provider"
        className="max-w-xl"
      >
        <TextField
          control={control}
          name="name"
          label="Name"
          hint="The sign-in page shows it, for example “Okta”."
          input={{ autoComplete: "off", maxLength: 100, autoFocus: true }}
        />
        <SelectField control={control} name="protocol" label="Protocol" options={PROTOCOL_OPTIONS} />
        <ChipsField control={control} name="domains" label="Email domains" hint={DOMAINS_HINT} placeholder="acme.com" />
      </MutationForm>
    </SideSheet>
  );
}
