import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { keyQuery } from "@/components/keys/key-queries";
import type { Key } from "@/lib/records/keys/contract";

const storedAs = (userId: string) => `signalbox.playground-key.${userId}`;

const neverChanges = () => () => undefined;

/** Remembers the key of a person's last request in this browser. */
export function rememberKey(userId: string | undefined, hash: string): void {
  if (userId !== undefined) window.localStorage.setItem(storedAs(userId), hash);
}

const canSend = ({ kind, disabled, expires_at }: Key, now: number) =>
  kind === "inference" && !disabled && (expires_at === null || Date.parse(expires_at) > now);

/**
 * The key of a person's last request, if it can still send requests in the workspace; null without one, undefined while it is
 * loaded.
 */
export function useLastKey(
  userId: string | undefined,
  { workspace, listed, isNeeded }: { workspace: string | null; listed: readonly Key[]; isNeeded: boolean },
): Key | null | undefined {
  const hash = useSyncExternalStore(
    neverChanges,
    () => (userId === undefined ? null : window.localStorage.getItem(storedAs(userId))),
    () => null,
  );
  const known = listed.find((key) => key.hash === hash);
  const loaded = useQuery({
    ...keyQuery(hash ?? ""),
    enabled: isNeeded && hash !== null && known === undefined,
    retry: false,
  });
  if (!isNeeded || hash === null) return null;
  if (known) return known;
  if (loaded.isPending) return undefined;
  const key = loaded.data?.data;
  return key && canSend(key, loaded.dataUpdatedAt) && (workspace === null || key.workspace_id === workspace)
    ? key
    : null;
}
