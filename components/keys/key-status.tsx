import { Badge } from "@/components/ui/badge";
import { useNow } from "@/components/ui/use-now";
import type { Key } from "@/lib/records/keys/contract";

type Status = Pick<Key, "disabled" | "expires_at" | "is_creator_deactivated">;

export function KeyStatus({ disabled, expires_at, is_creator_deactivated }: Status) {
  const now = useNow();
  if (disabled) return <Badge>Disabled</Badge>;
  if (expires_at && Date.parse(expires_at) <= now) return <Badge tone="warning">Expired</Badge>;
  if (is_creator_deactivated) return <Badge tone="warning">Owner deactivated</Badge>;
  return <Badge tone="success">Active</Badge>;
}
