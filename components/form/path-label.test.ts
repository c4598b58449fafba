import { expect, test } from "vitest";
import { fieldName, pathLabel } from "./path-label";

test.each([
  [["email"], "Email"],
  [["base_url"], "Base URL"],
  [["content_filters", 0, "pattern"], "Content filters 1, pattern"],
  [["default_guardrail_id"], "Default guardrail ID"],
])("labels the path %j", (path, label) => {
  expect(pathLabel(path)).toBe(label);
});

test("names a field by the last name of its path", () => {
  expect(fieldName(["tags", 3])).toBe("Tags");
});
