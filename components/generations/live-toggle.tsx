import { Radio } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";

/** Turns live updates on or off. */
export function LiveToggle({
  isLive,
  hasFailed,
  onChange,
}: {
  isLive: boolean;
  hasFailed: boolean;
  onChange: (isLive: boolean) => void;
}) {
  return (
    <>
      {hasFailed && (
        <Badge role="status" tone="warning">
          Reconnecting…
        </Badge>
      )}
      <Button aria-pressed={isLive} onClick={() => onChange(!isLive)}>
        <Radio aria-hidden className={isLive ? "text-success" : "text-muted"} /> Live
      </Button>
    </>
  );
}
