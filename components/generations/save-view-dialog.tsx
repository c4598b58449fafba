"use client";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { SwitchField } from "@/components/form/switch-field";
import { TextField } from "@/components/form/text-field";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { CreateSavedViewBody, type SavedView } from "@/lib/records/saved-views/contract";
import { useSaveView } from "./generation-queries";

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
  const save = useSaveView(view, query);
  const form = useForm({
    resolver: formResolver(ViewValues),
    defaultValues: { name: view?.name ?? "", is_shared: view?.is_shared ?? false, replacesQuery: false },
  });
  return (
    <MutationForm
      form={form}
      mutation={save}
      onSaved={({ data }) => {
        toast.success(`View “${data.name}” saved`);
        onClose();
      }}
      action={view ? "Save changes" : "Save view"}
      onCancel={onClose}
    >
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
    </MutationForm>
  );
}
