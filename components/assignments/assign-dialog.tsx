"use client";
import { Dialog } from "@/components/ui/dialog";
import { lazyComponent } from "@/components/ui/lazy-component";
import { countOf, type Kind, type Subject } from "./assignment-plan";

const AssignForm = lazyComponent(() => import("./assign-form").then((file) => file.AssignForm));

interface AssignDialogProps {
  kind: Kind;
  subjects: readonly Subject[];
  open: boolean;
  onClose: () => void;
  onDone?: () => void;
}

/** Assigns a guardrail to keys or members, or removes it, with a preview of the changes. */
export function AssignDialog({ kind, subjects, open, onClose, onDone }: AssignDialogProps) {
  const [only] = subjects;
  const title =
    subjects.length === 1 && only
      ? `Assign guardrail to “${only.name}”`
      : `Assign guardrail to ${countOf(kind, subjects.length)}`;
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={title}
      description={`A ${kind === "keys" ? "key" : "member"} has one guardrail, in addition to the workspace default.`}
    >
      <AssignForm kind={kind} subjects={subjects} onClose={onClose} onDone={onDone} />
    </Dialog>
  );
}
