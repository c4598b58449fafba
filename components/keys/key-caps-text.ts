import { formatUsd } from "@/components/ui/usd";
import type { KeySelfService } from "@/lib/records/keys/contract";
import type { KeyValues } from "./key-scope-fields";
import { count } from "@/lib/platform/count";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Initial values of a member's new key: the highest the caps allow. */
export const withinCaps = ({ max_limit, limit_reset, max_days }: KeySelfService, now: number): KeyValues => ({
  name: "",
  kind: "inference",
  limit: max_limit,
  limit_reset,
  include_byok_in_limit: max_limit !== null,
  expires_at:
    max_days === null ? null : new Date(Math.floor((now + max_days * DAY_MS) / MINUTE_MS) * MINUTE_MS).toISOString(),
});

const daysOf = (days: number) => count(days, "day");

/** Hints of the limit and the expiry. */
export function capsText(caps: KeySelfService | null): { limit: string; expires: string } {
  const most = caps?.max_limit ?? null;
  const reset = caps?.limit_reset ? `, ${caps.limit_reset}` : ", never reset";
  const days = caps?.max_days ?? null;
  return {
    limit: most === null ? "Leave blank for no limit." : `At most ${formatUsd(most)}${reset}.`,
    expires:
      days === null ? "Local time. Leave blank for no expiration." : `Local time. Within ${daysOf(days)} from now.`,
  };
}

/** "Up to 3 keys for each member, each with a limit of at most $10.00 monthly, expiring within 30 days". */
export function selfServiceText({ max_keys, max_limit, limit_reset, max_days }: KeySelfService): string {
  const limit = max_limit === null ? [] : [`limit of at most ${formatUsd(max_limit)} ${limit_reset ?? "in total"}`];
  const expiry = max_days === null ? [] : [`expire within ${daysOf(max_days)}`];
  return [`At most ${count(max_keys, "key")} per member`, ...limit, ...expiry].join(" · ");
}
