import { fromMicroUsd, toMicroUsd } from "../../engine/money";
import type { ResetInterval } from "../../engine/windows";
import type { Issue } from "../../platform/api-error";
import { count } from "../../platform/count";

const DAY_MS = 24 * 60 * 60_000;

/** Caps on keys that members create: docs/semantics.md#self-service-keys. */
export interface KeyCaps {
  max_keys: number;
  /** Highest spending limit in USD; null for none. */
  max_limit: number | null;
  /** Shortest interval in which a limit resets; null if it never does. */
  limit_reset: ResetInterval | null;
  /** Longest lifetime of a key; null for no expiry. */
  max_days: number | null;
}

/** A key requested by a member. */
export interface KeyRequest {
  kind: "inference" | "management";
  creator_user_id?: string | null | undefined;
  workspace_id?: string | undefined;
  guardrail_id?: string | null | undefined;
  tags?: readonly string[] | undefined;
  limit?: number | null | undefined;
  limit_reset?: ResetInterval | null | undefined;
  include_byok_in_limit?: boolean | undefined;
  expires_at?: string | null | undefined;
}

export interface Requester {
  userId: string;
  /** The organization's default workspace, the only one in which members create keys. */
  workspaceId: string;
  /** Number of the member's keys, including disabled and expired ones. */
  ownKeys: number;
  /**
   * Total that those keys may spend in a period, each at most the cap, plus the spend of deleted keys in their current
   * periods.
   */
  committedMicroUsd: bigint;
}

/** Resets from the most to the least frequent. */
const FREQUENCY: readonly (ResetInterval | null)[] = ["daily", "weekly", "monthly", null];
const isMoreFrequent = (a: ResetInterval | null, b: ResetInterval | null) =>
  FREQUENCY.indexOf(a) < FREQUENCY.indexOf(b);

const issue = (field: string, message: string): Issue => ({ path: [field], message, code: "not_allowed" });

/** Returns every way in which a member's key would exceed the caps. */
export function capIssues(request: KeyRequest, caps: KeyCaps, requester: Requester, now: Date): Issue[] {
  const { kind, creator_user_id, workspace_id, guardrail_id, tags = [] } = request;
  return [
    ...(kind === "management"
      ? [issue("kind", "must be inference: management keys require the permission keys:write")]
      : []),
    ...(creator_user_id && creator_user_id !== requester.userId
      ? [issue("creator_user_id", "must be empty: members create keys for themselves")]
      : []),
    ...(workspace_id !== undefined && workspace_id !== requester.workspaceId
      ? [issue("workspace_id", "must be the default workspace")]
      : []),
    ...(guardrail_id
      ? [issue("guardrail_id", "must be empty: another guardrail requires the permission keys:write")]
      : []),
    ...(tags.length > 0 ? [issue("tags", "must be empty: tags require the permission keys:write")] : []),
    ...(requester.ownKeys >= caps.max_keys
      ? [
          {
            path: [],
            message: `You can have at most ${count(caps.max_keys, "key")}. Delete one first`,
            code: "not_allowed",
          },
        ]
      : []),
    ...limitIssues(request, caps, requester),
    ...expiryCapIssues(request, caps, now),
  ];
}

/** Returns the highest limit of a new key, so that deleting and creating keys doesn't renew a member's budget. */
function highestLimit({ max_keys, max_limit }: KeyCaps, { committedMicroUsd }: Requester): bigint {
  const most = toMicroUsd(max_limit ?? 0);
  const left = most * BigInt(max_keys) - committedMicroUsd;
  return left < 0n ? 0n : left < most ? left : most;
}

function limitIssues(
  { limit, limit_reset, include_byok_in_limit }: KeyRequest,
  caps: KeyCaps,
  requester: Requester,
): Issue[] {
  if (caps.max_limit === null) return [];
  const highest = highestLimit(caps, requester);
  const isReduced = requester.ownKeys < caps.max_keys && highest < toMicroUsd(caps.max_limit);
  const most = `${fromMicroUsd(highest)} USD${isReduced ? ": the spend of deleted keys counts until their limits reset" : ""}`;
  return [
    ...(limit === null || limit === undefined
      ? [issue("limit", `is required, at most ${most}`)]
      : toMicroUsd(limit) > highest
        ? [issue("limit", `must be at most ${most}`)]
        : []),
    ...(isMoreFrequent(limit_reset ?? null, caps.limit_reset)
      ? [
          issue(
            "limit_reset",
            caps.limit_reset === null
              ? "must be null: the limit never resets"
              : `must be ${caps.limit_reset} or less often`,
          ),
        ]
      : []),
    ...(include_byok_in_limit === true
      ? []
      : [issue("include_byok_in_limit", "must be true: the limit covers all spending")]),
  ];
}

function expiryCapIssues({ expires_at }: KeyRequest, { max_days }: KeyCaps, now: Date): Issue[] {
  if (max_days === null) return [];
  const within = `within ${count(max_days, "day")}`;
  if (!expires_at) return [issue("expires_at", `is required, ${within}`)];
  return new Date(expires_at).getTime() - now.getTime() > max_days * DAY_MS
    ? [issue("expires_at", `must be ${within}`)]
    : [];
}

/** Returns the fields of a change that members may not make. They may rename and disable their keys. */
export const changeIssues = (change: Readonly<Record<string, unknown>>): Issue[] =>
  Object.entries(change).flatMap(([field, value]) => {
    if (value === undefined || field === "name" || (field === "disabled" && value === true)) return [];
    return [
      field === "disabled"
        ? issue(field, "must be true: enabling a key requires the permission keys:write")
        : issue(field, "can only be changed with the permission keys:write"),
    ];
  });
