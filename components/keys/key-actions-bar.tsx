"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { lazyComponent } from "@/components/ui/lazy-component";
import type { Key } from "@/lib/records/keys/contract";
import { DeleteKeys } from "./delete-keys";
import { useKeyActions } from "./use-key-actions";

const RotateKeyDialog = lazyComponent(() => import("./rotate-key-dialog").then((file) => file.RotateKeyDialog));

/** Actions on the key's page. */
export function KeyActionsBar({ record }: { record: Key }) {
  const router = useRouter();
  const { setDisabled, isPending } = useKeyActions();
  const [isRotating, setRotating] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <Button onClick={() => setRotating(true)}>Rotate…</Button>
      <Button disabled={isPending} onClick={() => setDisabled([record], !record.disabled)}>
        {record.disabled ? "Enable" : "Disable"}
      </Button>
      <Button className="text-danger" onClick={() => setDeleting(true)}>
        Delete…
      </Button>
      {isRotating && <RotateKeyDialog record={record} onClose={() => setRotating(false)} />}
      <DeleteKeys
        keys={isDeleting ? [record] : []}
        onClose={() => setDeleting(false)}
        onDeleted={() => router.push("/keys")}
      />
    </>
  );
}
