"use client";
import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { PickerField } from "@/components/form/picker-field";
import { useFreshErrors } from "@/components/form/use-fresh-errors";
import { findTags } from "@/components/tags/find-tags";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { call, newIdempotencyKey, type Answer } from "@/lib/browser/api-client";
import { toFailure } from "@/lib/browser/api-failure";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { inBatches, type OnProgress } from "@/lib/browser/batches";
import { bulkTagKeys } from "@/lib/browser/operations/keys-tags";
import { count } from "@/lib/platform/count";
import type { Key } from "@/lib/records/keys/contract";
import { TagChanges } from "@/lib/records/keys/tags-contract";

const checkTags = formResolver(TagChanges);

interface TagKeysDialogProps {
  keys: readonly Key[];
  onClose: () => void;
  onDone: () => void;
}

/** Adds tags to many keys and removes others. */
export function TagKeysDialog(props: TagKeysDialogProps) {
  const { keys, onClose } = props;
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Edit tags of ${count(keys.length, "key")}`}
      description="Analytics groups usage by tag. Other tags of these keys stay."
    >
      <TagForm {...props} />
    </Dialog>
  );
}

function TagForm({ keys, onClose, onDone }: TagKeysDialogProps) {
  const client = useQueryClient();
  const change = useTagKeys();
  const [done, setDone] = useState(0);
  const form = useForm<TagChanges>({ resolver: checkTags, defaultValues: { add: [], remove: [] } });
  useFreshErrors(form);
  const { control } = form;
  const [add, remove] = useWatch({ control, name: ["add", "remove"] });
  const known = useQuery({ queryKey: ["filter-options", "tag", ""], queryFn: () => findTags("") }).data ?? [];
  const own = [...new Set(keys.flatMap(({ tags }) => tags))].sort().map((value) => ({ value }));
  const changed = keys.filter(
    ({ tags }) => add.some((tag) => !tags.includes(tag)) || remove.some((tag) => tags.includes(tag)),
  ).length;
  return (
    <MutationForm
      form={form}
      mutation={change}
      toVariables={(tags) => ({ keys, tags, onProgress: setDone })}
      onSaved={(changes) => {
        toast.success(`Tags of ${count(changes.length, "key")} changed`, {
          action: { label: "Undo", onClick: () => void undo(client, changes) },
        });
        void client.invalidateQueries();
        onDone();
        onClose();
      }}
      action={
        change.isPending && done > 0
          ? `Changing, ${done.toLocaleString("en")} of ${count(keys.length, "key")}…`
          : `Change tags of ${count(changed || keys.length, "key")}`
      }
      isDisabled={changed === 0}
      onCancel={onClose}
    >
      <PickerField
        control={control}
        name="add"
        label="Add"
        options={known}
        allowsAny
        placeholder="team:search"
        empty={[]}
      />
      <PickerField
        control={control}
        name="remove"
        label="Remove"
        options={own}
        allowsAny
        placeholder="None"
        empty={[]}
      />
      <p role="status" aria-label="Preview" className="rounded-md bg-subtle px-3 py-2 text-sm">
        {add.length + remove.length === 0
          ? "Choose tags to preview the changes."
          : [
              `${count(changed, "key")} ${changed === 1 ? "changes" : "change"}`,
              ...(changed < keys.length ? [`${(keys.length - changed).toLocaleString("en")} unchanged`] : []),
            ].join(", ")}
      </p>
    </MutationForm>
  );
}

type Changed = Answer<typeof bulkTagKeys>["changed"];

interface TagKeys {
  keys: readonly Pick<Key, "hash">[];
  tags: TagChanges;
  onProgress: OnProgress;
}

const useTagKeys = () =>
  useApiMutation({
    mutationFn: async ({ keys, tags, onProgress }: TagKeys) => {
      const results = await inBatches(
        keys,
        (batch) =>
          call(bulkTagKeys, {
            body: { key_hashes: batch.map(({ hash }) => hash), ...tags },
            idempotencyKey: newIdempotencyKey(),
          }),
        { onProgress, undo: (earlier) => takeBack(earlier.flatMap(({ changed }) => changed)) },
      );
      return results.flatMap(({ changed }) => changed);
    },
  });

/** Reverses changes, those of the same tags together. */
async function takeBack(changes: Changed): Promise<void> {
  const groups = Map.groupBy(changes, ({ added, removed }) => JSON.stringify([added, removed]));
  for (const group of groups.values()) {
    const [{ added: remove, removed: add } = { added: [], removed: [] }] = group;
    await inBatches(group, (batch) =>
      call(bulkTagKeys, {
        body: { key_hashes: batch.map(({ key_hash }) => key_hash), add, remove },
        idempotencyKey: newIdempotencyKey(),
      }),
    );
  }
}

async function undo(client: QueryClient, changes: Changed): Promise<void> {
  try {
    await takeBack(changes);
    toast.success("Undone", { description: "Previous tags restored." });
  } catch (error) {
    toast.error("Couldn't undo", { description: toFailure(error).message });
  }
  await client.invalidateQueries();
}
