"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { persistently } from "@/components/ui/deferred";
import { Skeleton } from "@/components/ui/skeleton";

const WhyVerdict = dynamic(() => persistently(() => import("./why-verdict").then((file) => file.WhyVerdict)), {
  ssr: false,
  loading: () => <Skeleton className="h-32" />,
});

const AS_OF = [
  { value: "then", label: "As of then" },
  { value: "now", label: "As of now" },
] as const;

/** The request judged once more, by the guardrails that decided then or by those of now. */
export function WhyCard({ id }: { id: string }) {
  const [asOf, setAsOf] = useState<(typeof AS_OF)[number]["value"] | null>(null);
  return (
    <Card
      id="why"
      title="Judge again"
      description="By the code that enforces. Nothing is sent or spent."
      className="grid gap-4"
    >
      <div role="group" aria-label="By which policy" className="flex flex-wrap gap-2">
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
    </Card>
  );
}
