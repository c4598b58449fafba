"use client";
import type { ReactNode } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { HeaderRows } from "@/components/form/header-rows";
import { SwitchField } from "@/components/form/switch-field";
import { TextField } from "@/components/form/text-field";
import type { Provider } from "@/lib/records/providers/contract";
import { BASE_URLS, KindFields } from "./kind-fields";
import type { ProviderValues } from "./provider-values";

interface ProviderFieldsProps {
  /** The stored provider; omitted for a new one. */
  stored?: Provider;
  /** Fields that the address usually decides. */
  advanced: ReactNode;
}

/** Fields that the forms of new and stored providers share. The built-in provider has neither base URL nor secrets. */
export function ProviderFields({ stored, advanced }: ProviderFieldsProps) {
  const { control } = useFormContext<ProviderValues>();
  const isBuiltIn = stored?.base_url === null;
  const chosen = useWatch({ control, name: "kind" });
  const kind = chosen ?? stored?.kind ?? "openai";
  return (
    <>
      <TextField control={control} name="name" label="Name" input={{ autoComplete: "off" }} />
      {!isBuiltIn && (
        <>
          <TextField
            control={control}
            name="base_url"
            label="Base URL"
            hint={kind === "openai" && "Paths like /chat/completions are appended."}
            input={{ autoComplete: "off", inputMode: "url", placeholder: BASE_URLS[kind] }}
          />
          {advanced}
          <KindFields control={control} kind={kind} stored={stored} />
          <HeaderRows control={control} name="headers" stored={stored?.header_names ?? []} />
        </>
      )}
      <SwitchField
        control={control}
        name="zdr"
        label="Zero data retention"
        hint="This provider doesn't retain data. Endpoints can override this."
      />
      <SwitchField
        control={control}
        name="trains"
        label="Trains on data"
        hint="Requests that opt out of data collection aren't routed here."
      />
    </>
  );
}
