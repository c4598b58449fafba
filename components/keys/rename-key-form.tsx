"use client";
import { useForm } from "react-hook-form";
import type { z } from "zod";
import { FailureAlert } from "@/components/form/failure-alert";
import { formResolver } from "@/components/form/form-resolver";
import { showFailure } from "@/components/form/show-failure";
import { TextField } from "@/components/form/text-field";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import { UpdateKeyBody, type Key } from "@/lib/records/keys/contract";
import { useUpdateKey } from "./key-queries";

const checkBody = formResolver(UpdateKeyBody);

/** Renames a member's own key: its limit and expiry are an admin's to change. */
export function RenameKeyForm({ record }: { record: Key }) {
  const update = useUpdateKey(record.hash);
  const form = useForm<z.input<typeof UpdateKeyBody>>({ resolver: checkBody, values: { name: record.name } });
  const submit = form.handleSubmit((body) =>
    update.mutate(body, {
      onSuccess: ({ data }) => toast.success(`“${data.name}” saved`),
      onError: (error) => showFailure(form, toFailure(error)),
    }),
  );
  return (
    <Card id="settings" title="Settings" description="Ask an admin to change the limit or the expiration.">
      <form noValidate aria-labelledby="settings-title" onSubmit={(event) => void submit(event)} className="grid gap-4">
        <TextField control={form.control} name="name" label="Name" input={{ autoComplete: "off" }} />
        {update.error && <FailureAlert failure={toFailure(update.error)} control={form.control} />}
        <div className="flex justify-end">
          <Button type="submit" variant="primary" disabled={!form.formState.isDirty || update.isPending}>
            Rename
          </Button>
        </div>
      </form>
    </Card>
  );
}
