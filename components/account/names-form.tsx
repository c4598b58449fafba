"use client";
import { useRouter } from "next/navigation";
import { useForm } from "react-hook-form";
import type { z } from "zod";
import { FailureAlert } from "@/components/form/failure-alert";
import { formResolver } from "@/components/form/form-resolver";
import { showFailure } from "@/components/form/show-failure";
import { TextField } from "@/components/form/text-field";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
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
  const submit = form.handleSubmit((body) =>
    update.mutate(body, {
      onSuccess: () => {
        toast.success("Name saved");
        router.refresh();
      },
      onError: (error) => showFailure(form, toFailure(error)),
    }),
  );
  return (
    <form noValidate aria-label="Your name" onSubmit={(event) => void submit(event)} className="grid max-w-2xl gap-4">
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
      {update.error && <FailureAlert failure={toFailure(update.error)} control={form.control} />}
      <div>
        <Button type="submit" variant="primary" disabled={!form.formState.isDirty || update.isPending}>
          Save name
        </Button>
      </div>
    </form>
  );
}
