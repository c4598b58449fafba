import { expect, it } from "vitest";
import type { Budget } from "@/lib/records/budgets/contract";
import type { Limit } from "@/lib/records/limits/contract";
import { firstReached, spendTree } from "./spend-tree";

const limit = (id: string, given: Partial<Limit> = {}): Limit =>
  ({
    id,
    name: id,
    workspace_id: null,
    subject_type: "organization",
    subject_ids: null,
    metric: "spend",
    enabled: true,
    closest: null,
    ...given,
  }) as Limit;
const standing = (remaining: number, exhausted_at: string | null) =>
  ({ remaining, exhausted_at }) as NonNullable<Limit["closest"]>;
const budget = (workspace_id: string, exhausted_at: string | null): Budget =>
  ({
    guardrail_id: null,
    limit_id: null,
    workspace_id,
    subject: { type: "key", id: "k", name: "Nightly" },
    remaining_usd: 3,
    forecast: { exhausted_at },
  }) as Budget;

const WORKSPACES = [
  { id: "w1", name: "Default" },
  { id: "w2", name: "Empty" },
  { id: "w3", name: "Search" },
];

it("limits are in the place where they apply, in the order of their subjects", () => {
  const branches = spendTree(
    [
      limit("models", { subject_type: "model" }),
      limit("all"),
      limit("one workspace", { subject_type: "workspace", subject_ids: ["w1"] }),
      limit("each workspace", { subject_type: "workspace" }),
      limit("tags in a workspace", { subject_type: "tag", workspace_id: "w3" }),
      limit("in a workspace that isn't loaded", { subject_type: "tag", workspace_id: "w4" }),
    ],
    [budget("w1", null)],
    WORKSPACES,
  );
  const brief = branches.map(({ workspace, groups }) => [
    workspace?.name ?? null,
    ...groups.map(({ subject, entries }) => `${subject}: ${entries.map(({ key }) => key).join(", ")}`),
  ]);
  expect(brief).toEqual([
    [null, "organization: all", "workspace: each workspace", "model: models"],
    ["Default", "workspace: one workspace", "key: own key k"],
    ["Search", "tag: tags in a workspace"],
    ["Workspace w4", "tag: in a workspace that isn't loaded"],
  ]);
});

it("the limit that is reached first is the one with the earliest forecast, which isn't reached yet or turned off", () => {
  const first = (limits: Limit[], budgets: Budget[] = []) => firstReached(spendTree(limits, budgets, WORKSPACES))?.key;
  const soon = "2026-11-21T00:00:00.000Z";
  const later = "2026-11-22T00:00:00.000Z";
  expect(first([limit("a")])).toBeUndefined();
  expect(first([limit("a", { closest: standing(1, later) }), limit("b", { closest: standing(1, soon) })])).toBe("b");
  expect(first([limit("a", { closest: standing(1, later) })], [budget("w1", soon)])).toBe("own key k");
  expect(
    first([limit("a", { closest: standing(0, soon) }), limit("b", { enabled: false, closest: standing(1, soon) })]),
  ).toBeUndefined();
});
