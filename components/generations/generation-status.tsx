import { Badge, type Tone } from "@/components/ui/badge";
import type { Generation } from "@/lib/records/generations/contract";

const LOOK = {
  succeeded: { tone: "success", label: "Succeeded" },
  failed: { tone: "danger", label: "Failed" },
  blocked: { tone: "warning", label: "Blocked" },
  cancelled: { tone: "neutral", label: "Cancelled" },
} as const satisfies Record<Generation["status"], { tone: Tone; label: string }>;

/** Status of a generation. In a list, successes are plain so that others stand out. */
export function GenerationStatus({ status, isQuiet = false }: Pick<Generation, "status"> & { isQuiet?: boolean }) {
  const { tone, label } = LOOK[status];
  if (isQuiet && status === "succeeded") return <span className="text-[13px] text-muted">{label}</span>;
  return <Badge tone={tone}>{label}</Badge>;
}
