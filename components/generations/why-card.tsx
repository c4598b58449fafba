"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { FoldedCard } from "@/components/ui/folded-card";
import { WhyVerdict } from "./why-verdict";

const AS_OF = [
  { value: "then", label: "Original policy" },
  { value: "now", label: "Current policy" },
] as const;

/** Re-evaluates the request under the original or the current guardrails. */
export function WhyCard({ id }: { id: string }) {
  const [asOf, setAsOf] = useState<(typeof AS_OF)[number]["value"] | null>(null);
  return (
    <FoldedCard
      id="why"
      title="Re-evaluate"
      description="The decision under the original or the current policy, without calling a model."
      className="grid gap-4"
    >
      <div role="group" aria-label="Policy" className="flex flex-wrap gap-2">
        {AS_OF.map(({ value, label }) => (
          <Button
            key={value}
            size="sm"
            aria-pressed={asOf === value}
            className="aria-pressed:border-accent aria-pressed:bg-accent-subtle"
            onClick={() => setAsOf(value)}
          >
            {label}
          </Button>
        ))}
      </div>
      {asOf && <WhyVerdict key={asOf} id={id} asOf={asOf} />}
    </FoldedCard>
  );
}
