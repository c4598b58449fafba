import { expect, it } from "vitest";
import { groupsOf, planSentence, takingOff, type Plan } from "./assignment-plan";

const names: Record<string, string> = { s: "Staging", c: "CI" };
const nameOf = (id: string) => names[id] ?? id;
const moved = (from: string, ...ids: string[]) => ids.map((id) => ({ id, from }));

it.each<[string, Plan, string | null, string]>([
  [
    "all three",
    { added: ["a", "b"], moved: moved("s", "c"), unchanged: ["d"] },
    "p",
    "2 new, 1 moved from Staging, 1 unchanged",
  ],
  [
    "several sources",
    { added: [], moved: [...moved("s", "a"), ...moved("c", "b", "d")], unchanged: [] },
    "p",
    "1 moved from Staging, 2 moved from CI",
  ],
  ["nothing to do", { added: [], moved: [], unchanged: ["a"] }, "p", "1 unchanged"],
  [
    "taking off",
    { added: [], moved: moved("s", "a", "b"), unchanged: ["c"] },
    null,
    "2 taken off Staging, 1 unchanged",
  ],
])("says %s", (_, plan, target, sentence) => {
  expect(planSentence(groupsOf(plan, target, nameOf))).toBe(sentence);
});

it("knows from the plan of assigning what taking off would do", () => {
  expect(takingOff({ added: ["a"], moved: moved("s", "b"), unchanged: ["c"] }, "p")).toEqual({
    added: [],
    moved: [...moved("p", "c"), ...moved("s", "b")],
    unchanged: ["a"],
  });
});
