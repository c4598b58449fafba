"use client";
import { Dialog } from "@/components/ui/dialog";
import { lazyComponent } from "@/components/ui/lazy-component";
import { onIdentityRequired } from "@/lib/browser/identity";
import { useAwaitedDialog } from "./use-awaited-dialog";

const IdentityForm = lazyComponent(() => import("./identity-form").then((file) => file.IdentityForm));

/** Dialog in which the member confirms their identity. Then repeats the action that required it. */
export function IdentityDialog() {
  const { isOpen, close } = useAwaitedDialog(onIdentityRequired);
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(open) => !open && close(false)}
      className="max-w-sm"
      title="Confirm it's you"
      description="Changes to roles, keys, secrets and sign-in require a sign-in within the last 15 minutes."
    >
      <IdentityForm onConfirmed={() => close(true)} onCancel={() => close(false)} />
    </Dialog>
  );
}
