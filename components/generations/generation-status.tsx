import { Badge, type Tone } from "@/components/ui/badge";
import type { Generation } from "@/lib/records/generations/contract";

const LOOK = {
  succeeded: { tone: "success", label: "Succeeded" },
  failed: { tone: "danger", label: "Failed" },
  blocked: { tone: "warning", label: "Blocked" },
  cancelled: { tone: "neutral", label: "Cancelled" },
} as const satisfies Record<Generation["status"], { tone: Tone; label: string }>;

export function GenerationStatus({ status }: Pick<Generation, "status">) {
  const { tone, label } = LOOK[status];
  return <Badge tone={tone}>{label}</Badge>;
}
