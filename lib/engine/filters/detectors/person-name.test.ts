import { describe, expect, it } from "vitest";
import { accuracyOf, sentencesOf } from "../../../testing/filter-accuracy";
import { detectPersonName } from "./person-name";

const namesOf = (text: string) => detectPersonName(text).map(({ start, end }) => text.slice(start, end));

it.each([
  ["My name is Helena Moore and I lost my card.", ["Helena Moore"]],
  ["Dear Dr. Ramirez, thank you.", ["Ramirez"]],
  ["Kind regards,\nPatrick Sullivan", ["Patrick Sullivan"]],
  ["Hallo Sabine, danke!", ["Sabine"]],
  ["The contract was signed by Giovanni Romano and Meera Sharma.", ["Giovanni Romano", "Meera Sharma"]],
  ["Customer: Jean-Pierre Lambert", ["Jean-Pierre Lambert"]],
  ["Written by Dr.Ramirez and J.Sullivan", ["Ramirez", "J.Sullivan"]],
  ["author=Helena Moore", ["Helena Moore"]],
  ["I spoke with J. R. Peterson about it", ["J. R. Peterson"]],
])("finds the names in %j", (text, names) => {
  expect(namesOf(text)).toEqual(names);
});

it.each([
  "",
  "   ",
  "12 345",
  "Will it rain in April or in May?",
  "Install Docker and Kubernetes on Ubuntu.",
  "The Microsoft office in Berlin is closed on Monday.",
  "Explain Murphy's law.",
  "Calvin Klein raised its prices.",
  "List<String> names = new ArrayList<>();",
  "Dear customer,\nyour parcel has arrived.",
  "写一首关于春天的诗",
  "import { CarolSmith } from './Carol/Jack';",
  "org.Sebastian.Helena.run(Oliver(), Patrick=1)",
  "export function map<T, K>(x: T): K",
  "2024-05-01 10:00:00 INFO BlockManager: Removing block blk_12 from Dispatcher",
  "git checkout feature/Amelia_Watson",
])("finds none in %j", (text) => {
  expect(namesOf(text)).toEqual([]);
});

it("excludes a possessive from the name", () => {
  expect(namesOf("Where is Samantha Brooks's laptop?")).toEqual(["Samantha Brooks"]);
});

describe.each([
  ["tuning", 0.91, 0.94],
  ["held-out", 0.84, 0.88],
] as const)("%s half", (half, leastPrecision, leastRecall) => {
  it("reaches the documented accuracy", async () => {
    const { precision, recall, errors } = await accuracyOf(sentencesOf("person-name", half), detectPersonName, false);
    const shown = JSON.stringify(errors.slice(0, 5));
    expect(precision, shown).toBeGreaterThanOrEqual(leastPrecision);
    expect(recall, shown).toBeGreaterThanOrEqual(leastRecall);
  });
});
