import { Badge } from "@/components/ui/badge";
import { useNow } from "@/components/ui/use-now";
import type { Key } from "@/lib/records/keys/contract";

export function KeyStatus({ disabled, expires_at }: Pick<Key, "disabled" | "expires_at">) {
  const now = useNow();
  if (disabled) return <Badge>Disabled</Badge>;
  if (expires_at && Date.parse(expires_at) <= now) return <Badge tone="warning">Expired</Badge>;
  return <Badge tone="success">Active</Badge>;
}
