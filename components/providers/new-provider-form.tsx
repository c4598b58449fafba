import { useEffect, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import type { z } from "zod";
import { Field } from "@/components/form/field";
import { formResolver } from "@/components/form/form-resolver";
import { useFreshErrors } from "@/components/form/use-fresh-errors";
import { MutationForm } from "@/components/form/mutation-form";
import { TextField } from "@/components/form/text-field";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import type { Answer } from "@/lib/browser/api-client";
import type { listCatalogueProviders } from "@/lib/browser/operations/catalogue";
import { usePageRouter } from "@/lib/browser/page-router";
import { CreateProviderBody } from "@/lib/records/providers/contract";
import { kindOfAddress, PROTOCOLS_OF, type ProviderKind } from "@/lib/records/providers/vocabulary";
import { AdvancedFields } from "./advanced-fields";
import { withoutBlankCredentials } from "./kind-fields";
import { ProviderFields } from "./provider-fields";
import { UnsavedTest } from "./unsaved-test";
import { useCreateProvider } from "./provider-queries";

const checkBody = formResolver(CreateProviderBody);

type Values = z.input<typeof CreateProviderBody>;

const OTHER = "other";
const EMPTY: Values = {
  slug: "",
  name: "",
  base_url: "",
  kind: "openai",
  protocol: "chat_completions",
  ownership: "platform",
  zdr: false,
  trains: false,
  api_key: null,
  headers: null,
};

type Vendors = Answer<typeof listCatalogueProviders>["data"];

/** Base URLs of the vendors with OpenAI-compatible APIs. */
const urlsOf = (vendors: Vendors) => vendors.flatMap(({ kind, base_url }) => (kind === "openai" ? [base_url] : []));

export function NewProviderForm({ vendors }: { vendors: Vendors }) {
  const router = usePageRouter();
  const creation = useCreateProvider();
  const [vendor, setVendor] = useState(OTHER);
  /** Whether the kind was chosen by hand. */
  const [isByHand, setByHand] = useState(false);
  const form = useForm<Values, unknown, z.output<typeof CreateProviderBody>>({
    resolver: checkBody,
    defaultValues: EMPTY,
  });
  const { control } = form;
  useFreshErrors(form);
  const kind = useWatch({ control, name: "kind" }) ?? "openai";
  const chooseKind = (kind: ProviderKind) => {
    form.setValue("kind", kind, { shouldDirty: true });
    form.setValue("protocol", PROTOCOLS_OF[kind][0], { shouldDirty: true });
    form.setValue("settings", undefined);
    form.setValue("credentials", undefined);
    form.clearErrors(["settings", "credentials"]);
  };
  const knownUrls = urlsOf(vendors);
  const told = kindOfAddress(useWatch({ control, name: "base_url" }), knownUrls);
  // A typed address decides the kind, unless it was chosen.
  useEffect(() => {
    if (told !== null && !isByHand && told !== kind) chooseKind(told);
  });
  const choose = (slug: string) => {
    setVendor(slug);
    setByHand(false);
    const { name = "", base_url = "", kind = "openai" } = vendors.find((one) => one.slug === slug) ?? {};
    const options = { shouldDirty: true };
    form.clearErrors();
    form.setValue("slug", slug === OTHER ? "" : slug, options);
    form.setValue("name", name, options);
    form.setValue("base_url", base_url, options);
    chooseKind(kind);
  };
  return (
    <MutationForm
      form={form}
      mutation={creation}
      toVariables={withoutBlankCredentials}
      onSaved={({ data }) => {
        form.reset();
        toast.success(`“${data.name}” added`);
        router.push(`/providers/${data.slug}`);
      }}
      action="Add provider"
      isGuarded
      label="New provider"
      className="max-w-2xl"
    >
      <Field label="Vendor" hint="Choosing a known vendor fills in the other fields." errors={[]}>
        {(wiring) => (
          <Select
            {...wiring}
            value={vendor}
            onValueChange={choose}
            options={[
              { value: OTHER, label: "Other or self-hosted" },
              ...vendors.map(({ slug, name }) => ({ value: slug, label: name })),
            ]}
          />
        )}
      </Field>
      <TextField
        control={control}
        name="slug"
        label="Slug"
        hint="Identifier used in guardrails and requests. Can't be changed later."
        input={{ autoComplete: "off", placeholder: "openai" }}
      />
      <ProviderFields
        advanced={
          <AdvancedFields
            kind={kind}
            onChooseKind={(chosen) => {
              setByHand(true);
              chooseKind(chosen);
            }}
            knownUrls={knownUrls}
          />
        }
      />
      <UnsavedTest />
    </MutationForm>
  );
}
