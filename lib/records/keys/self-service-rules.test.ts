import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { capIssues, changeIssues, type KeyCaps, type KeyRequest } from "./self-service-rules";

const NOW = new Date("2026-11-20T10:00:00.000Z");
const inDays = (days: number, ms = 0) => new Date(NOW.getTime() + days * 86_400_000 + ms).toISOString();
const CAPS: KeyCaps = { max_keys: 2, max_limit: 10, limit_reset: "monthly", max_days: 30 };
const NONE: KeyCaps = { max_keys: 2, max_limit: null, limit_reset: null, max_days: null };
const WITHIN: KeyRequest = {
  kind: "inference",
  limit: 10,
  limit_reset: "monthly",
  include_byok_in_limit: true,
  expires_at: inDays(30),
};
const WHO = { userId: "user_1", workspaceId: "w1", ownKeys: 1, committedMicroUsd: 10_000_000n };

describe("capIssues", () => {
  it.each<[string, Partial<KeyRequest>, string[]]>([
    ["at every cap", {}, []],
    ["below every cap", { limit: 0.5, limit_reset: null, expires_at: inDays(1) }, []],
    ["for themselves, in the default workspace", { creator_user_id: "user_1", workspace_id: "w1" }, []],
    ["a micro-dollar over", { limit: 10.000001 }, ["limit"]],
    ["without a limit", { limit: null }, ["limit"]],
    ["resetting daily", { limit_reset: "daily" }, ["limit_reset"]],
    ["without counting own provider keys", { include_byok_in_limit: undefined }, ["include_byok_in_limit"]],
    ["without an expiry", { expires_at: undefined }, ["expires_at"]],
    ["a millisecond too long", { expires_at: inDays(30, 1) }, ["expires_at"]],
    ["for somebody else", { creator_user_id: "user_2" }, ["creator_user_id"]],
    ["elsewhere", { workspace_id: "w2" }, ["workspace_id"]],
    ["with a guardrail", { guardrail_id: "g" }, ["guardrail_id"]],
    ["with tags", { tags: ["team:search"] }, ["tags"]],
    [
      "with everything wrong",
      {
        kind: "management",
        creator_user_id: "user_2",
        limit: 99,
        limit_reset: "weekly",
        include_byok_in_limit: false,
        expires_at: null,
      },
      ["kind", "creator_user_id", "limit", "limit_reset", "include_byok_in_limit", "expires_at"],
    ],
  ])("%s", (_, change, fields) => {
    expect(capIssues({ ...WITHIN, ...change }, CAPS, WHO, NOW).map(({ path }) => path[0])).toEqual(fields);
  });

  it("counts the keys that the member has", () => {
    expect(capIssues(WITHIN, CAPS, { ...WHO, ownKeys: 2 }, NOW)).toMatchObject([
      { path: [], message: "You can have at most 2 keys. Delete one first" },
    ]);
  });

  it("counts what deleted keys have spent", () => {
    const who = { ...WHO, committedMicroUsd: 14_000_000n };
    expect(capIssues({ ...WITHIN, limit: 6 }, CAPS, who, NOW)).toEqual([]);
    expect(capIssues({ ...WITHIN, limit: 6.01 }, CAPS, who, NOW)).toMatchObject([
      { path: ["limit"], message: "must be at most 6 USD: the spend of deleted keys counts until their limits reset" },
    ]);
    expect(capIssues({ ...WITHIN, limit: 1 }, CAPS, { ...who, committedMicroUsd: 30_000_000n }, NOW)).toMatchObject([
      { path: ["limit"], message: expect.stringContaining("at most 0 USD") as string },
    ]);
  });

  it("requires neither limit nor expiry without such caps", () => {
    expect(capIssues({ kind: "inference" }, NONE, WHO, NOW)).toEqual([]);
  });

  it("never allows to spend more in a month than the cap", () => {
    const resets = { daily: 28, weekly: 4, monthly: 1 };
    const interval = fc.constantFrom("daily" as const, "weekly" as const, "monthly" as const, null);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 50 }), interval, interval, (limit, limit_reset, capReset) => {
        const caps = { ...CAPS, limit_reset: capReset };
        if (capIssues({ ...WITHIN, limit, limit_reset }, caps, WHO, NOW).length > 0) return;
        const most = (amount: number, reset: keyof typeof resets | null) => amount * (reset ? resets[reset] : 1);
        expect(most(limit, limit_reset)).toBeLessThanOrEqual(most(10, capReset));
      }),
    );
  });
});

it.each([
  [{ name: "New" }, []],
  [{ disabled: true }, []],
  [{ disabled: false, limit: 5, expires_at: null }, ["disabled", "limit", "expires_at"]],
  [{ name: undefined, limit: undefined }, []],
])("members may change %j but for %j", (change, fields) => {
  expect(changeIssues(change).map(({ path }) => path[0])).toEqual(fields);
});
