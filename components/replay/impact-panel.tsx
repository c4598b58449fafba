"use client";
import { Card } from "@/components/ui/card";
import { Impact } from "./impact";
import type { ReplayRequest } from "./use-replay";

/** Impact of an unsaved draft on recorded requests. */
export const ImpactPanel = ({ guardrail }: { guardrail: ReplayRequest["guardrail"] }) => (
  <Card id="impact" title="Impact" description="What this draft would have done to recorded requests.">
    <Impact guardrail={guardrail} />
  </Card>
);
