import { CircleAlert, CircleCheck, X } from "lucide-react";
import { Toast as Primitive } from "radix-ui";
import { useSyncExternalStore } from "react";
import { Button } from "./button";
import { toastStore, type ShownToast } from "./toast";

const NONE: readonly ShownToast[] = [];
const DURATION_MS = { success: 5_000, error: 9_000 };
/** Long enough to notice, decide and reach the button. */
const ACTION_DURATION_MS = 15_000;
const LEAVING_MS = 200;

export function ToastRegion() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read, () => NONE);
  return (
    <Primitive.Provider swipeDirection="right" label="Notification">
      {toasts.map((toast) => (
        <Toast key={toast.id} toast={toast} />
      ))}
      {/* A live region stays readable while a dialog is open. */}
      <Primitive.Viewport
        aria-live="polite"
        aria-relevant="additions"
        className="pointer-events-none fixed top-15 right-4 z-60 grid w-[min(23rem,calc(100vw-2rem))] gap-2 outline-none"
      />
    </Primitive.Provider>
  );
}

function Toast({ toast: { id, kind, title, description, action } }: { toast: ShownToast }) {
  const Icon = kind === "error" ? CircleAlert : CircleCheck;
  return (
    <Primitive.Root
      duration={action ? ACTION_DURATION_MS : DURATION_MS[kind]}
      onOpenChange={(isOpen) => !isOpen && setTimeout(() => toastStore.remove(id), LEAVING_MS)}
      className="pointer-events-auto flex items-start gap-2.5 rounded-lg border bg-surface-raised p-3 pr-2 text-sm text-foreground shadow-lg duration-150 data-[state=closed]:animate-out data-[state=closed]:fade-out-0 data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:slide-in-from-top-2 data-[swipe=end]:animate-out data-[swipe=end]:slide-out-to-right data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)"
    >
      <Icon
        aria-hidden
        className={kind === "error" ? "mt-0.5 size-4 shrink-0 text-danger" : "mt-0.5 size-4 shrink-0 text-success"}
      />
      {/* The live region around it reads it; once is enough. */}
      <div data-radix-toast-announce-exclude="" className="grid min-w-0 flex-1 gap-0.5">
        <Primitive.Title className="font-medium wrap-anywhere">{title}</Primitive.Title>
        {description && (
          <Primitive.Description className="text-[13px] wrap-anywhere text-muted">{description}</Primitive.Description>
        )}
      </div>
      {action && (
        <Primitive.Action altText={action.label} asChild>
          <Button size="sm" className="-my-0.5" onClick={action.onClick}>
            {action.label}
          </Button>
        </Primitive.Action>
      )}
      <Primitive.Close asChild>
        <Button variant="ghost" size="icon-sm" className="-my-1 size-6 text-muted" aria-label="Dismiss">
          <X aria-hidden />
        </Button>
      </Primitive.Close>
    </Primitive.Root>
  );
}
