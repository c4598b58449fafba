import { AlertDialog } from "radix-ui";
import { useId, useState, type ReactNode } from "react";
import { Button } from "./button";
import { DialogActions } from "./dialog";
import { Input } from "./input";
import { dialogStyle, overlayStyle } from "./popup-style";
import { useReturnFocus } from "./use-return-focus";

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** Explains what the action affects. */
  children: ReactNode;
  action: string;
  onConfirm: () => void;
  /** True while the action runs. */
  isPending?: boolean;
  /** True while the action can't be confirmed, for example until it is known what it affects. */
  isDisabled?: boolean;
  isDestructive?: boolean;
  cancel?: string;
  /** Text that must be typed to confirm. */
  typed?: string;
  /** Names and counts of the affected objects, in a box. */
  touches?: ReactNode;
  /** True if `touches` says why the action isn't possible. */
  isImpossible?: boolean;
}

/** Asks before an action that can't be undone, and stays open while it runs. */
export function ConfirmDialog({ open, onOpenChange, ...question }: ConfirmDialogProps) {
  const returnFocus = useReturnFocus(open);
  const change = (isOpen: boolean) => (isOpen || !question.isPending) && onOpenChange(isOpen);
  return (
    <AlertDialog.Root open={open} onOpenChange={change}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={overlayStyle} />
        <AlertDialog.Content className={dialogStyle} {...returnFocus}>
          <Question {...question} />
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

function Question({
  title,
  children,
  action,
  onConfirm,
  isPending = false,
  isDisabled = false,
  isDestructive = true,
  cancel = "Cancel",
  typed,
  touches,
  isImpossible = false,
}: Omit<ConfirmDialogProps, "open" | "onOpenChange">) {
  const [text, setText] = useState("");
  const canConfirm = !isPending && !isDisabled && !isImpossible && (typed === undefined || text === typed);
  return (
    <>
      <AlertDialog.Title className="text-base font-semibold">{title}</AlertDialog.Title>
      <AlertDialog.Description asChild>
        <div className="grid gap-2 text-sm text-muted">{children}</div>
      </AlertDialog.Description>
      {touches && <div className="max-h-48 overflow-y-auto rounded-md border bg-subtle/50 p-3 text-sm">{touches}</div>}
      {typed !== undefined && !isImpossible && (
        <TypedField typed={typed} value={text} onChange={setText} onEnter={() => canConfirm && onConfirm()} />
      )}
      <DialogActions>
        <AlertDialog.Cancel asChild>
          <Button disabled={isPending}>{cancel}</Button>
        </AlertDialog.Cancel>
        <Button variant={isDestructive ? "danger" : "primary"} disabled={!canConfirm} onClick={onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </>
  );
}

function TypedField({
  typed,
  value,
  onChange,
  onEnter,
}: {
  typed: string;
  value: string;
  onChange: (value: string) => void;
  onEnter: () => void;
}) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-[13px] font-medium wrap-anywhere">
        Type <span className="rounded-sm bg-subtle px-1 font-mono select-all">{typed}</span> to confirm
      </label>
      <Input
        id={id}
        value={value}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && onEnter()}
      />
    </div>
  );
}
