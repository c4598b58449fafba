import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { toast } from "@/components/ui/toast";
import { call, newIdempotencyKey } from "@/lib/browser/api-client";
import { toFailure } from "@/lib/browser/api-failure";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { bulkSetKeyLimits } from "@/lib/browser/operations/keys-limits";
import type { Key } from "@/lib/records/keys/contract";
import type { LimitConflict } from "@/lib/records/keys/limits-contract";

export type LimitedKey = Pick<Key, "hash" | "name">;
export type KeyLimit = Pick<Key, "limit" | "limit_reset">;
type Previous = KeyLimit & { key_hash: string };

const bodyOf = (keys: readonly LimitedKey[], { limit, limit_reset }: KeyLimit) => ({
  keys: keys.map(({ hash }) => ({ key_hash: hash, limit, limit_reset })),
});

/** Dry run of setting a limit, never cached because others may change limits meanwhile. */
export const limitPlanQuery = (keys: readonly LimitedKey[], limit: KeyLimit) =>
  queryOptions({
    queryKey: ["limit-plan", keys.map(({ hash }) => hash), limit],
    queryFn: ({ signal }) => call(bulkSetKeyLimits, { query: { dry_run: "true" }, body: bodyOf(keys, limit), signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

export const useSetLimits = () =>
  useApiMutation({
    mutationFn: ({ keys, limit }: { keys: readonly LimitedKey[]; limit: KeyLimit }) =>
      call(bulkSetKeyLimits, { body: bodyOf(keys, limit), idempotencyKey: newIdempotencyKey() }),
  });

const SHOWN_CONFLICTS = 3;

async function undo(client: QueryClient, previous: Previous[], { limit, limit_reset }: KeyLimit): Promise<void> {
  try {
    await call(bulkSetKeyLimits, {
      body: { keys: previous, expected: { limit, limit_reset } },
      idempotencyKey: newIdempotencyKey(),
    });
    toast.success("Undone", { description: "Previous limits restored." });
  } catch (error) {
    const { status, message, metadata } = toFailure(error);
    const names = ((metadata["conflicts"] ?? []) as LimitConflict[]).map(({ name }) => name);
    const named =
      names.length > SHOWN_CONFLICTS
        ? `${names.slice(0, SHOWN_CONFLICTS).join(", ")} and ${names.length - SHOWN_CONFLICTS} more`
        : names.join(", ");
    toast.error(status === 409 ? "Can’t undo: these limits have changed since" : "Couldn't undo", {
      description: named ? `${named}. No changes were made.` : message,
    });
  }
  await client.invalidateQueries();
}

/** Toast about the new limits, with undo. */
export function showLimitsSet(client: QueryClient, title: string, previous: Previous[], limit: KeyLimit): void {
  toast.success(title, { action: { label: "Undo", onClick: () => void undo(client, previous, limit) } });
  void client.invalidateQueries();
}
