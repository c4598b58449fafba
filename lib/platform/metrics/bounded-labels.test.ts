import { expect, it } from "vitest";
import { BoundedLabels } from "./bounded-labels";

it("keeps the first values, and counts the rest as other", () => {
  const labels = new BoundedLabels();
  expect(["a", "b", "c", "a", "c"].map((value) => labels.of(value, 2))).toEqual(["a", "b", "other", "a", "other"]);
});
