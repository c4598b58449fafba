import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "@/components/session/session-queries";
import { useMay } from "@/components/session/user-context";
import type { KeySelfService } from "@/lib/records/keys/contract";

/** Caps of a member's own keys; null for those who manage every key, and for members without self-service. */
export function useOwnKeyCaps(): KeySelfService | null {
  const canManageAll = useMay("keys:write");
  const canManageOwn = useMay("own_keys:write");
  const session = useQuery(sessionQuery).data;
  return canManageAll || !canManageOwn ? null : (session?.key_self_service ?? null);
}

/** True for those who manage every key, and for members with self-service. */
export function useCanManageOwnKeys(): boolean {
  const canManageAll = useMay("keys:write");
  const caps = useOwnKeyCaps();
  return canManageAll || caps !== null;
}
