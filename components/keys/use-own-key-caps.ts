import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "@/components/session/session-queries";
import { useUser } from "@/components/session/user-context";
import type { KeySelfService } from "@/lib/records/keys/contract";

/** Caps of a member's own keys; null for admins, and for members without self-service. */
export function useOwnKeyCaps(): KeySelfService | null {
  const { isAdmin } = useUser();
  const session = useQuery(sessionQuery).data;
  return isAdmin ? null : (session?.key_self_service ?? null);
}

/** True for admins, and for members with self-service. */
export function useCanManageOwnKeys(): boolean {
  const { isAdmin } = useUser();
  const caps = useOwnKeyCaps();
  return isAdmin || caps !== null;
}
