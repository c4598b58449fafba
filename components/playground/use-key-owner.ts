import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "@/components/session/session-queries";
import { useMay } from "@/components/session/user-context";

/** The member whose keys the user may send with, for a user who sees more keys than they may use; otherwise null. */
export function useKeyOwner(): string | null {
  const seesAll = useMay("keys:read");
  const canUseAll = useMay("keys:write");
  const ownId = useQuery(sessionQuery).data?.user.id;
  return seesAll && !canUseAll ? (ownId ?? null) : null;
}
