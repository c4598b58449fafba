"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { lazyComponent } from "@/components/ui/lazy-component";
import type { PolicyCheck } from "@/lib/features/policy-check/contract";
import type { TestStart } from "./test-values";

const TestDialog = lazyComponent(() => import("./test-dialog").then((file) => file.TestDialog));

interface SaveAsTestProps {
  guardrail: { id: string; name: string };
  request: Pick<TestStart, "request" | "protocol" | "answer">;
  check: PolicyCheck;
}

const DECIDING: Readonly<Record<string, string>> = { blocked: "block", redacted: "redact", flagged: "flag" };

/** Saves a checked prompt as a policy test with the same outcome. */
export function SaveAsTest({ guardrail, request, check }: SaveAsTestProps) {
  const [isOpen, setOpen] = useState(false);
  const { outcome, decisions } = check;
  if (outcome === "budget_exhausted") return null;
  const deciding = decisions.find(({ action }) => action === DECIDING[outcome]);
  const expected = { outcome, field: deciding?.field ?? null, rule: deciding?.rule ?? null };
  return (
    <>
      <Button size="sm" className="justify-self-start" onClick={() => setOpen(true)}>
        Save as test…
      </Button>
      {isOpen && (
        <TestDialog
          start={{ name: "", ...request, expected }}
          guardrails={[guardrail]}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
