import { toast } from "@/components/ui/toast";
import { PRECONDITION_FAILED, toFailure } from "@/lib/browser/api-failure";

/** Toast with undo. The undo is rejected if the preset has changed since. */
export function offerUndo(done: string, undone: string, back: () => Promise<unknown>): void {
  const undo = async () => {
    try {
      await back();
      toast.success(undone);
    } catch (reason) {
      const { status, message } = toFailure(reason);
      toast.error("Couldn't undo", {
        description: status === PRECONDITION_FAILED ? "The preset has changed since." : message,
      });
    }
  };
  toast.success(done, { action: { label: "Undo", onClick: () => void undo() } });
}
