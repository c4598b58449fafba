"use client";
import { useEffect } from "react";
import { RefusalAlert } from "./refusal-alert";
import { reportOutcome } from "./sign-in-tab";

interface SignInDoneProps {
  isTest: boolean;
  /** Null after a success. */
  refusal: string | null;
}

/** Last page of a tab that was opened for a test sign-in, or to confirm an identity. */
export function SignInDone({ isTest, refusal }: SignInDoneProps) {
  useEffect(() => {
    reportOutcome({ refusal });
  }, [refusal]);
  return (
    <div className="grid gap-3">
      {refusal !== null && !isTest && <RefusalAlert refusal={refusal} requestId={null} />}
      <p className="text-center text-muted">
        {isTest ? "Close this tab. Settings show what the identity provider sent." : "Close this tab and continue."}
      </p>
    </div>
  );
}
