import { expect, it } from "vitest";
import { trendOf } from "./trend";

it.each<[number, number, "up" | "down" | undefined, ReturnType<typeof trendOf>]>([
  [112, 100, undefined, { text: "+12%", direction: "up" }],
  [99, 100, undefined, { text: "−1.0%", direction: "down" }],
  [100.01, 100, "down", { text: "±0%", direction: "flat" }],
  [50, 100, "down", { text: "−50%", direction: "down", isGood: true }],
  [300, 100, "down", { text: "+200%", direction: "up", isGood: false }],
  [5, 0, "up", null],
  [0, 5, "up", null],
])("%d after %d", (now, before, good, expected) => {
  expect(trendOf(now, before, good)).toEqual(expected);
});
