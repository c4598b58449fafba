import { expect, it } from "vitest";
import { REFUSALS } from "@/lib/records/sign-in-connections/vocabulary";
import { refusalText } from "./refusal-text";

it("has a text for every reason, and one for reasons that a URL makes up", () => {
  expect(new Set(REFUSALS.map((refusal) => refusalText(refusal).title)).size).toBe(REFUSALS.length);
  for (const unknown of ["", "constructor", "<b>"]) expect(refusalText(unknown)).toBe(refusalText("lost"));
});
