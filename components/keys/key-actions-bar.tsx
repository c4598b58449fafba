"use client";
import { useState } from "react";
import { useUser } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { lazyComponent } from "@/components/ui/lazy-component";
import { usePageRouter } from "@/lib/browser/page-router";
import type { Key } from "@/lib/records/keys/contract";
import { DeleteKeys } from "./delete-keys";
import { useKeyActions } from "./use-key-actions";

const RotateKeyDialog = lazyComponent(() => import("./rotate-key-dialog").then((file) => file.RotateKeyDialog));

/** Actions on the key's page. */
export function KeyActionsBar({ record }: { record: Key }) {
  const router = usePageRouter();
  const { setDisabled, isPending } = useKeyActions();
  const { isAdmin } = useUser();
  const [isRotating, setRotating] = useState(false);
  const [isDisabling, setDisabling] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <Button onClick={() => setRotating(true)}>Rotate…</Button>
      {isAdmin && (
        <Button disabled={isPending} onClick={() => setDisabled([record], !record.disabled)}>
          {record.disabled ? "Enable" : "Disable"}
        </Button>
      )}
      {!isAdmin && !record.disabled && (
        <Button disabled={isPending} onClick={() => setDisabling(true)}>
          Disable…
        </Button>
      )}
      <Button className="text-danger" onClick={() => setDeleting(true)}>
        Delete…
      </Button>
      {isRotating && <RotateKeyDialog record={record} onClose={() => setRotating(false)} />}
      <ConfirmDialog
        open={isDisabling}
        onOpenChange={setDisabling}
        title={`Disable “${record.name}”?`}
        action="Disable key"
        isPending={isPending}
        onConfirm={() => {
          setDisabled([record], true, true);
          setDisabling(false);
        }}
      >
        <p>Requests with this key are rejected from now on. Only an admin can enable it again.</p>
      </ConfirmDialog>
      <DeleteKeys
        keys={isDeleting ? [record] : []}
        onClose={() => setDeleting(false)}
        onDeleted={() => router.push("/keys")}
      />
    </>
  );
}
