"use client";
import { useEffect, useRef, useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { lazyComponent } from "@/components/ui/lazy-component";
import { onIdentityRequired } from "@/lib/browser/identity";

const IdentityForm = lazyComponent(() => import("./identity-form").then((file) => file.IdentityForm));

/** Dialog in which the member confirms their identity; the action that required it is then repeated. */
export function IdentityDialog() {
  const [isOpen, setOpen] = useState(false);
  /** Actions that wait for the answer. */
  const waiting = useRef<((isConfirmed: boolean) => void)[]>([]);
  useEffect(
    () =>
      onIdentityRequired(
        () =>
          new Promise((resolve) => {
            waiting.current.push(resolve);
            setOpen(true);
          }),
      ),
    [],
  );
  const answer = (isConfirmed: boolean) => {
    setOpen(false);
    for (const resolve of waiting.current.splice(0)) resolve(isConfirmed);
  };
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(open) => !open && answer(false)}
      className="max-w-sm"
      title="Confirm it's you"
      description="Changes to roles, keys, secrets and sign-in require a sign-in within the last 15 minutes."
    >
      <IdentityForm onConfirmed={() => answer(true)} onCancel={() => answer(false)} />
    </Dialog>
  );
}
