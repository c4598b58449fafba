import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";

const PRECONDITION_FAILED = 412;

/** Says what was done and offers to take it back; the way back is refused when somebody changed the preset since. */
export function offerUndo(done: string, undone: string, back: () => Promise<unknown>): void {
  const undo = async () => {
    try {
      await back();
      toast.success(undone);
    } catch (reason) {
      const { status, message } = toFailure(reason);
      toast.error("Nothing was undone", {
        description: status === PRECONDITION_FAILED ? "Somebody changed the preset since." : message,
      });
    }
  };
  toast.success(done, { action: { label: "Undo", onClick: () => void undo() } });
}
