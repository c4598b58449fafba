import { expect, it } from "vitest";
import type { LintFinding } from "@/lib/features/lint/contract";
import { placeOf, warningsText } from "./lint-text";

const warning = (message: string): LintFinding => ({
  severity: "warning",
  code: "assigned_to_nothing",
  path: [],
  message,
});

it("shows the first warning and counts the others", () => {
  expect(warningsText([])).toBeNull();
  expect(warningsText([warning("One.")])).toBe("Warning: One.");
  expect(warningsText([warning("One."), warning("Two."), warning("Three.")])).toBe(
    "Warning: One. 2 more under Problems.",
  );
});

it("names the location of a finding as the editor does", () => {
  expect(placeOf([])).toEqual({ label: "Assignments", href: "#assignments" });
  expect(placeOf(["content_filters", 1, "pattern"]).label).toBe("Custom filter 2");
  expect(placeOf(["external_checks", 0, "url"])).toEqual({ label: "External check 1", href: "#checks" });
  expect(placeOf(["judges", 1, "model"])).toEqual({ label: "Model judge 2", href: "#judges" });
  expect(placeOf(["allowed_models"])).toEqual({ label: "Allowed models", href: "#models" });
});
