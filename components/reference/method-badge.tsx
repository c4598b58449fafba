import { Badge, type Tone } from "@/components/ui/badge";

const TONES: Readonly<Record<string, Tone>> = { POST: "accent", PUT: "accent", PATCH: "warning", DELETE: "danger" };

export function MethodBadge({ method }: { method: string }) {
  return (
    <Badge tone={TONES[method] ?? "neutral"} className="w-16 shrink-0 justify-center font-mono">
      {method}
    </Badge>
  );
}
