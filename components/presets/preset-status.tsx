import { Badge, type Tone } from "@/components/ui/badge";
import type { Preset } from "@/lib/records/presets/contract";

const LOOK = {
  active: { tone: "success", label: "Active" },
  disabled: { tone: "neutral", label: "Disabled" },
  archived: { tone: "warning", label: "Archived" },
} as const satisfies Record<Preset["status"], { tone: Tone; label: string }>;

export function PresetStatus({ status }: Pick<Preset, "status">) {
  const { tone, label } = LOOK[status];
  return <Badge tone={tone}>{label}</Badge>;
}
