"use client";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { FailureAlert } from "@/components/form/failure-alert";
import { formResolver } from "@/components/form/form-resolver";
import { showFailure } from "@/components/form/show-failure";
import { SwitchField } from "@/components/form/switch-field";
import { TextField } from "@/components/form/text-field";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import { CreateSavedViewBody, type SavedView } from "@/lib/records/saved-views/contract";
import { useCreateSavedView, useUpdateSavedView } from "./generation-queries";

const ViewValues = CreateSavedViewBody.pick({ name: true, is_shared: true })
  .required()
  .extend({ replacesQuery: z.boolean() });

interface SaveViewProps {
  /** Null to save a new view. */
  view: SavedView | null;
  /** Filters of the log as it is shown. */
  query: string;
  onClose: () => void;
}

/** Saves the filters of the log as a named view; renames a view, shares it, or replaces its filters. */
export function SaveViewDialog(props: SaveViewProps) {
  const { view, onClose } = props;
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={view ? "Edit view" : "Save this view"}
      description={
        !view
          ? "Save the current filters as a view."
          : view.is_shared
            ? "Changes apply to everybody in the organization."
            : "This view is visible to you only."
      }
    >
      <SaveViewForm {...props} />
    </Dialog>
  );
}

function SaveViewForm({ view, query, onClose }: SaveViewProps) {
  const create = useCreateSavedView();
  const update = useUpdateSavedView(view?.id ?? "");
  const form = useForm({
    resolver: formResolver(ViewValues),
    defaultValues: { name: view?.name ?? "", is_shared: view?.is_shared ?? false, replacesQuery: false },
  });
  const submit = form.handleSubmit(({ replacesQuery, ...values }) => {
    const handlers = {
      onSuccess: ({ data }: { data: SavedView }) => {
        toast.success(`View “${data.name}” saved`);
        onClose();
      },
      onError: (error: Error) => showFailure(form, toFailure(error)),
    };
    if (view) update.mutate({ ...values, ...(replacesQuery && { query }) }, handlers);
    else create.mutate({ ...values, page: "generations", query }, handlers);
  });
  const error = create.error ?? update.error;
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {error && <FailureAlert failure={toFailure(error)} control={form.control} />}
      <TextField control={form.control} name="name" label="Name" input={{ placeholder: "Blocked in production" }} />
      {/* Without an owner, a view that isn't shared would be visible to nobody. */}
      {view?.owner_id !== null && (
        <SwitchField control={form.control} name="is_shared" label="Share with the organization" />
      )}
      {view && query !== "" && query !== view.query && (
        <SwitchField
          control={form.control}
          name="replacesQuery"
          label="Replace its filters"
          hint="The view applies the filters that are set in the log now."
        />
      )}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={create.isPending || update.isPending}>
          {view ? "Save changes" : "Save view"}
        </Button>
      </DialogActions>
    </form>
  );
}
