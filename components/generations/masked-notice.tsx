"use client";
import { Eye, EyeOff } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { persistently } from "@/components/ui/deferred";
import { announce } from "@/lib/browser/announce";
import type { GenerationContent } from "@/lib/generations/content-contract";
import { maskedInWords } from "./masked-words";

const RevealDialog = dynamic(() => persistently(() => import("./reveal-dialog")));

interface MaskedNoticeProps {
  id: string;
  /** What is hidden; none when nobody could tell. */
  masked: GenerationContent["masked"];
  isRevealed: boolean;
  /** The whole content, or null to hide it again. */
  onReveal: (content: GenerationContent | null) => void;
}

/** Says what is hidden and lets one see it for a reason. */
export function MaskedNotice({ id, masked, isRevealed, onReveal }: MaskedNoticeProps) {
  const [isAsking, setAsking] = useState(false);
  const [hasAsked, setAsked] = useState(false);
  const ask = () => {
    setAsked(true);
    setAsking(true);
  };
  const show = (content: GenerationContent) => {
    onReveal(content);
    announce("The content is revealed");
  };
  return (
    <>
      {isRevealed ? (
        <Alert
          kind="warning"
          title="Revealed: personal data is shown"
          action={
            <Button size="sm" onClick={() => onReveal(null)}>
              <EyeOff aria-hidden /> Mask again
            </Button>
          }
        >
          The audit log keeps that you read it, and why.
        </Alert>
      ) : (
        <Alert
          kind="info"
          title={
            masked ? `Masked: ${maskedInWords(masked)}` : "Masked as a whole: it couldn’t be searched for personal data"
          }
          action={
            <Button size="sm" onClick={ask}>
              <Eye aria-hidden /> Reveal…
            </Button>
          }
        >
          A content filter guards personal data here, so it is shown for a reason only.
        </Alert>
      )}
      {hasAsked && <RevealDialog id={id} open={isAsking} onClose={() => setAsking(false)} onReveal={show} />}
    </>
  );
}
