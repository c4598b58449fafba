"use client";
import { useRouter } from "next/navigation";
import { useForm } from "react-hook-form";
import type { z } from "zod";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { TextField } from "@/components/form/text-field";
import { toast } from "@/components/ui/toast";
import { UpdateAccountBody } from "@/lib/records/session/account-contract";
import type { Session } from "@/lib/records/session/contract";
import { useUpdateAccount } from "./account-queries";

const checkBody = formResolver(UpdateAccountBody);

export function NamesForm({ user: { first_name, last_name } }: { user: Session["user"] }) {
  const router = useRouter();
  const update = useUpdateAccount();
  const form = useForm<z.input<typeof UpdateAccountBody>, unknown, z.output<typeof UpdateAccountBody>>({
    resolver: checkBody,
    values: { first_name, last_name },
  });
  const announce = () => {
    toast.success("Name saved");
    router.refresh();
  };
  return (
    <MutationForm
      form={form}
      mutation={update}
      onSaved={announce}
      action="Save name"
      isEdit
      label="Your name"
      className="max-w-2xl"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          control={form.control}
          name="first_name"
          label="First name"
          isNullable
          input={{ autoComplete: "given-name" }}
        />
        <TextField
          control={form.control}
          name="last_name"
          label="Last name"
          isNullable
          input={{ autoComplete: "family-name" }}
        />
      </div>
    </MutationForm>
  );
}
