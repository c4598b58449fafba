"use client";
import { useForm } from "react-hook-form";
import type { z } from "zod";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { TextField } from "@/components/form/text-field";
import { toast } from "@/components/ui/toast";
import { UpdateOrganizationBody } from "@/lib/records/organization/contract";
import { useUpdateOrganization } from "./settings-queries";

const checkBody = formResolver(UpdateOrganizationBody);

export function OrganizationForm({ name }: { name: string }) {
  const rename = useUpdateOrganization();
  const form = useForm<z.input<typeof UpdateOrganizationBody>, unknown, z.output<typeof UpdateOrganizationBody>>({
    resolver: checkBody,
    defaultValues: { name },
  });
  return (
    <MutationForm
      form={form}
      mutation={rename}
      onSaved={({ data }) => {
        form.reset({ name: data.name });
        toast.success("Organization renamed");
      }}
      action="Rename"
      isEdit
      label="Organization"
      className="max-w-md gap-3"
    >
      <TextField control={form.control} name="name" label="Name" input={{ autoComplete: "organization" }} />
    </MutationForm>
  );
}
