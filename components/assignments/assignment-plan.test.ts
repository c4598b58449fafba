import { expect, it } from "vitest";
import { groupsOf, planSentence, unassignPlan, type Plan } from "./assignment-plan";

const names: Record<string, string> = { s: "Staging", c: "CI" };
const nameOf = (id: string) => names[id] ?? id;
const moved = (from: string, ...ids: string[]) => ids.map((id) => ({ id, from }));

it.each<[string, Plan, string | null, string]>([
  [
    "all three groups",
    { added: ["a", "b"], moved: moved("s", "c"), unchanged: ["d"] },
    "p",
    "2 new, 1 moved from Staging, 1 unchanged",
  ],
  [
    "several source guardrails",
    { added: [], moved: [...moved("s", "a"), ...moved("c", "b", "d")], unchanged: [] },
    "p",
    "1 moved from Staging, 2 moved from CI",
  ],
  ["no changes", { added: [], moved: [], unchanged: ["a"] }, "p", "1 unchanged"],
  [
    "unassigning",
    { added: [], moved: moved("s", "a", "b"), unchanged: ["c"] },
    null,
    "2 unassigned from Staging, 1 unchanged",
  ],
])("says %s", (_, plan, target, sentence) => {
  expect(planSentence(groupsOf(plan, target, nameOf))).toBe(sentence);
});

it("derives the plan of unassigning from that of assigning", () => {
  expect(unassignPlan({ added: ["a"], moved: moved("s", "b"), unchanged: ["c"] }, "p")).toEqual({
    added: [],
    moved: [...moved("p", "c"), ...moved("s", "b")],
    unchanged: ["a"],
  });
});
