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
  { value: "0", label: "Immediately" },
  { value: "3600", label: "In an hour" },
  { value: "86400", label: "In a day" },
  { value: "604800", label: "In a week" },
  { value: "2592000", label: "In 30 days" },
] as const;
type Grace = (typeof GRACES)[number]["value"];
const exactly = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
const DEFAULT_GRACE: Grace = "86400";

interface RotateKeyDialogProps {
  record: Key;
  onClose: () => void;
}

/** Rotates a key. Its hash, and therefore its URL, changes. */
export function RotateKeyDialog({ record, onClose }: RotateKeyDialogProps) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const rotation = useRotateKey(record.hash);
  const [grace, setGrace] = useState<Grace>(DEFAULT_GRACE);
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
      open
      onOpenChange={(isOpen) => !isOpen && close()}
      title={rotated ? `“${record.name}” rotated` : `Rotate “${record.name}”`}
      description={
        rotated
          ? "Copy the key now. It can't be shown again."
          : "Replaces the key. Guardrail, budgets and history are kept."
      }
    >
      {rotated ? (
        <KeyText text={rotated.key} isLeaving={isLeaving} onStored={() => finish(rotated)}>
          <p className="text-sm">
            {rotated.data.old_text_expires_at ? (
              <>
                The old key works until{" "}
                <time dateTime={rotated.data.old_text_expires_at}>
                  {exactly.format(Date.parse(rotated.data.old_text_expires_at))}
                </time>
                .
              </>
            ) : (
              "The old key no longer works."
            )}
          </p>
        </KeyText>
      ) : (
        <div className="grid gap-4">
          <div className="grid gap-1.5">
            <label htmlFor={id} className="text-[13px] font-medium">
              Old key expires
            </label>
            <Select id={id} value={grace} onValueChange={setGrace} options={GRACES} aria-describedby={`${id}-hint`} />
            <p id={`${id}-hint`} className="text-[13px] text-muted">
              {grace === "0"
                ? "Requests with the old key are rejected immediately."
                : "Both keys work until then, so you can rotate without downtime."}
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
