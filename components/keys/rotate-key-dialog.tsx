"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { UnsavedGuard } from "@/components/form/unsaved-guard";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Select } from "@/components/ui/select";
import { toFailure } from "@/lib/browser/api-failure";
import { invalidate } from "@/lib/browser/api-query";
import { listKeys } from "@/lib/browser/operations/keys";
import type { Key } from "@/lib/records/keys/contract";
import { keyQuery, useRotateKey } from "./key-queries";
import { KeyText } from "./key-text";

const GRACES = [
  { value: "0", label: "At once" },
  { value: "3600", label: "In an hour" },
  { value: "86400", label: "In a day" },
  { value: "604800", label: "In a week" },
  { value: "2592000", label: "In 30 days" },
] as const;
type Grace = (typeof GRACES)[number]["value"];
const exactly = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
const USUAL_GRACE: Grace = "86400";

interface RotateKeyDialogProps {
  record: Key;
  open: boolean;
  onClose: () => void;
}

/** New text for the same key. Its hash, hence its address, changes once the new text is stored. */
export function RotateKeyDialog({ record, open, onClose }: RotateKeyDialogProps) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const rotation = useRotateKey(record.hash);
  const [grace, setGrace] = useState<Grace>(USUAL_GRACE);
  const [isLeaving, setLeaving] = useState(false);
  const id = useId();
  const rotated = rotation.data;
  const close = () => {
    if (rotated) {
      setLeaving(true);
      return;
    }
    rotation.reset();
    onClose();
  };
  const finish = ({ data }: { data: Key }) => {
    queryClient.setQueryData(keyQuery(data.hash).queryKey, { data });
    onClose();
    router.replace(`/keys/${data.hash}`);
    void invalidate(queryClient, listKeys);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && close()}
      title={rotated ? `“${record.name}” has new text` : `Rotate “${record.name}”`}
      description={
        rotated
          ? "Copy the key now: it can't be shown again."
          : "The key gets new text. Its guardrail, budgets and history stay with it."
      }
    >
      {rotated ? (
        <KeyText text={rotated.key} isLeaving={isLeaving} onStored={() => finish(rotated)}>
          <p className="text-sm">
            {rotated.data.old_text_expires_at ? (
              <>
                The old text works until{" "}
                <time dateTime={rotated.data.old_text_expires_at}>
                  {exactly.format(Date.parse(rotated.data.old_text_expires_at))}
                </time>
                .
              </>
            ) : (
              "The old text doesn't work any more."
            )}
          </p>
        </KeyText>
      ) : (
        <div className="grid gap-4">
          <div className="grid gap-1.5">
            <label htmlFor={id} className="text-[13px] font-medium">
              The old text ends
            </label>
            <Select id={id} value={grace} onValueChange={setGrace} options={GRACES} aria-describedby={`${id}-hint`} />
            <p id={`${id}-hint`} className="text-[13px] text-muted">
              {grace === "0"
                ? "Whoever still uses it is refused from the next request on."
                : "Until then both texts work, so that you can replace it without a gap."}
            </p>
          </div>
          {rotation.error && <FailureAlert failure={toFailure(rotation.error)} />}
          <DialogActions>
            <Button onClick={close}>Cancel</Button>
            <Button variant="primary" disabled={rotation.isPending} onClick={() => rotation.mutate(Number(grace))}>
              Rotate key
            </Button>
          </DialogActions>
        </div>
      )}
      <UnsavedGuard isDirty={rotated !== undefined} />
    </Dialog>
  );
}
