"use client";
import dynamic from "next/dynamic";
import { Card } from "@/components/ui/card";
import { persistently } from "@/components/ui/deferred";
import { Skeleton } from "@/components/ui/skeleton";
import type { ReplayRequest } from "./use-replay";

const Impact = dynamic(() => persistently(() => import("./impact").then((file) => file.Impact)), {
  ssr: false,
  loading: () => <Skeleton className="h-28" />,
});

/** Impact of an unsaved draft on recorded requests. */
export const ImpactPanel = ({ guardrail }: { guardrail: ReplayRequest["guardrail"] }) => (
  <Card id="impact" title="Impact" description="What this draft would have done to recorded requests.">
    <Impact guardrail={guardrail} />
  </Card>
);
