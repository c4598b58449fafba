import { AlertDialog } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "./button";
import { dialogStyle, DialogActions, overlayStyle } from "./dialog";

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** What the action touches. */
  children: ReactNode;
  action: string;
  onConfirm: () => void;
  isPending?: boolean;
  isDestructive?: boolean;
  cancel?: string;
}

/** Asks before something that can't be undone; stays open while it runs. */
export function ConfirmDialog({ open, onOpenChange, title, children, action, onConfirm, isPending, isDestructive = true, cancel = "Cancel" }: ConfirmDialogProps) {
  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={overlayStyle} />
        <AlertDialog.Content className={dialogStyle}>
          <AlertDialog.Title className="text-base font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="grid gap-2 text-sm text-muted">{children}</div>
          </AlertDialog.Description>
          <DialogActions>
            <AlertDialog.Cancel asChild>
              <Button disabled={isPending}>{cancel}</Button>
            </AlertDialog.Cancel>
            <Button variant={isDestructive ? "danger" : "primary"} disabled={isPending} onClick={onConfirm}>
              {action}
            </Button>
          </DialogActions>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
