"use client";
import { useState } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { Field } from "@/components/form/field";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Textarea } from "@/components/ui/input";
import { toFailure } from "@/lib/browser/api-failure";
import type { GenerationContent } from "@/lib/features/content-access/contract";
import { useRevealContent } from "./generation-queries";

const MOST_CHARACTERS = 500;

interface RevealDialogProps {
  id: string;
  open: boolean;
  onClose: () => void;
  onReveal: (content: GenerationContent) => void;
}

/** Asks for the reason to reveal masked content, which is recorded in the audit log. */
export function RevealDialog({ open, onClose, ...form }: RevealDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Reveal this content?"
      description="The audit log records that you read it, and your reason. The content is masked again when you leave this page."
    >
      <RevealForm {...form} onClose={onClose} />
    </Dialog>
  );
}

function RevealForm({ id, onClose, onReveal }: Omit<RevealDialogProps, "open">) {
  const [reason, setReason] = useState("");
  const [isMissing, setMissing] = useState(false);
  const reveal = useRevealContent(id);
  const submit = () => {
    const given = reason.trim();
    setMissing(given === "");
    if (given === "") return;
    reveal.mutate(given, {
      onSuccess: ({ data }) => {
        onReveal(data);
        onClose();
      },
    });
  };
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {reveal.error && <FailureAlert failure={toFailure(reveal.error)} />}
      <Field label="Reason" errors={isMissing ? ["Reason is required"] : []}>
        {(wiring) => (
          <Textarea
            {...wiring}
            rows={3}
            maxLength={MOST_CHARACTERS}
            placeholder="Support case 4711: customer disputes the response"
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={reveal.isPending}>
          Reveal
        </Button>
      </DialogActions>
    </form>
  );
}
