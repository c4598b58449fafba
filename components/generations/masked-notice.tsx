"use client";
import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { announce } from "@/lib/browser/announce";
import type { GenerationContent } from "@/lib/features/content-access/contract";
import type { Generation } from "@/lib/records/generations/contract";
import { describeMasked } from "./masked-text";
import { RevealDialog } from "./reveal-dialog";

interface MaskedNoticeProps {
  generation: Generation;
  /** Masked categories; null if the content couldn't be scanned. */
  masked: GenerationContent["masked"];
  isRevealed: boolean;
  /** The unmasked content, or null to mask it again. */
  onReveal: (content: GenerationContent | null) => void;
}

/** States what is masked and lets the user reveal it by giving a reason. */
export function MaskedNotice({ generation, masked, isRevealed, onReveal }: MaskedNoticeProps) {
  const [isAsking, setAsking] = useState(false);
  const show = (content: GenerationContent) => {
    onReveal(content);
    announce("Content revealed");
  };
  return (
    <>
      {isRevealed ? (
        <Alert
          kind="warning"
          title="Masked text revealed"
          action={
            <Button size="sm" onClick={() => onReveal(null)}>
              <EyeOff aria-hidden /> Mask again
            </Button>
          }
        >
          The audit log records that you read it, and your reason.
        </Alert>
      ) : (
        <Alert
          kind="info"
          title={
            masked
              ? `Masked: ${describeMasked(masked, generation.decisions)}`
              : "Fully masked: the content couldn’t be scanned for personal data"
          }
          action={
            <Button size="sm" onClick={() => setAsking(true)}>
              <Eye aria-hidden /> Reveal…
            </Button>
          }
        >
          A guardrail protects this text. Revealing it requires a reason.
        </Alert>
      )}
      <RevealDialog id={generation.id} open={isAsking} onClose={() => setAsking(false)} onReveal={show} />
    </>
  );
}
