"use client";
import { useForm } from "react-hook-form";
import type { z } from "zod";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { TextField } from "@/components/form/text-field";
import { Card } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
import { UpdateKeyBody, type Key } from "@/lib/records/keys/contract";
import { useUpdateKey } from "./key-queries";

const checkBody = formResolver(UpdateKeyBody);

/** Renames a member's own key. Only admins change its limit and expiration. */
export function RenameKeyForm({ record }: { record: Key }) {
  const update = useUpdateKey(record.hash);
  const form = useForm<z.input<typeof UpdateKeyBody>>({ resolver: checkBody, values: { name: record.name } });
  return (
    <Card id="settings" title="Settings" description="Ask an admin to change the limit or the expiration.">
      <MutationForm
        form={form}
        mutation={update}
        onSaved={({ data }) => toast.success(`“${data.name}” saved`)}
        action="Rename"
        isEdit
        inCard
        labelledBy="settings-title"
      >
        <TextField control={form.control} name="name" label="Name" input={{ autoComplete: "off" }} />
      </MutationForm>
    </Card>
  );
}
