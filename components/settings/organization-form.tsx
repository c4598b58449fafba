"use client";
import { useForm } from "react-hook-form";
import type { z } from "zod";
import { FailureAlert } from "@/components/form/failure-alert";
import { formResolver } from "@/components/form/form-resolver";
import { showFailure } from "@/components/form/show-failure";
import { TextField } from "@/components/form/text-field";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import { UpdateOrganizationBody } from "@/lib/records/organization/contract";
import { useUpdateOrganization } from "./settings-queries";

const checkBody = formResolver(UpdateOrganizationBody);

export function OrganizationForm({ name }: { name: string }) {
  const rename = useUpdateOrganization();
  const form = useForm<z.input<typeof UpdateOrganizationBody>, unknown, z.output<typeof UpdateOrganizationBody>>({
    resolver: checkBody,
    defaultValues: { name },
  });
  const submit = form.handleSubmit((body) =>
    rename.mutate(body, {
      onSuccess: () => toast.success("Organization renamed"),
      onError: (error) => showFailure(form, toFailure(error)),
    }),
  );
  return (
    <form noValidate aria-label="Organization" onSubmit={(event) => void submit(event)} className="grid max-w-md gap-3">
      <TextField control={form.control} name="name" label="Name" input={{ autoComplete: "organization" }} />
      {rename.error && <FailureAlert failure={toFailure(rename.error)} control={form.control} />}
      <div>
        <Button type="submit" variant="primary" disabled={!form.formState.isDirty || rename.isPending}>
          Rename
        </Button>
      </div>
    </form>
  );
}
