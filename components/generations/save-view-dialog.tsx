"use client";
import { useForm } from "react-hook-form";
import { FailureAlert } from "@/components/form/failure-alert";
import { formResolver } from "@/components/form/form-resolver";
import { showFailure } from "@/components/form/show-failure";
import { SwitchField } from "@/components/form/switch-field";
import { TextField } from "@/components/form/text-field";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import { CreateSavedViewBody } from "@/lib/records/saved-views/contract";
import { useCreateSavedView } from "./generation-queries";

const ViewValues = CreateSavedViewBody.pick({ name: true, is_shared: true }).required();

/** Saves the filters of the current URL as a named view. */
export function SaveViewDialog({ onClose, query }: { onClose: () => void; query: string }) {
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Save this view"
      description="Save the current filters as a view."
    >
      <SaveViewForm query={query} onClose={onClose} />
    </Dialog>
  );
}

function SaveViewForm({ query, onClose }: { query: string; onClose: () => void }) {
  const create = useCreateSavedView();
  const form = useForm({
    resolver: formResolver(ViewValues),
    defaultValues: { name: "", is_shared: false },
  });
  const submit = form.handleSubmit((values) =>
    create.mutate(
      { ...values, page: "generations", query },
      {
        onSuccess: ({ data }) => {
          toast.success(`View “${data.name}” saved`);
          onClose();
        },
        onError: (error) => showFailure(form, toFailure(error)),
      },
    ),
  );
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {create.error && <FailureAlert failure={toFailure(create.error)} control={form.control} />}
      <TextField
        control={form.control}
        name="name"
        label="Name"
        input={{ autoFocus: true, placeholder: "Blocked in production" }}
      />
      <SwitchField control={form.control} name="is_shared" label="Share with the organization" />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={create.isPending}>
          Save view
        </Button>
      </DialogActions>
    </form>
  );
}
