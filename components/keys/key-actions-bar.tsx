"use client";
import { useState } from "react";
import { useUser } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { lazyComponent } from "@/components/ui/lazy-component";
import { usePageRouter } from "@/lib/browser/page-router";
import type { Key } from "@/lib/records/keys/contract";
import { DeleteKeys } from "./delete-keys";
import { DisableOwnKey } from "./disable-own-key";
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
      <DisableOwnKey record={isDisabling ? record : null} onClose={() => setDisabling(false)} />
      <DeleteKeys
        keys={isDeleting ? [record] : []}
        onClose={() => setDeleting(false)}
        onDeleted={() => router.push("/keys")}
      />
    </>
  );
}
