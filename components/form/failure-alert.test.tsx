import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { ApiFailure } from "@/lib/browser/api-failure";
import { FailureAlert } from "./failure-alert";
import { noteField } from "./shown-fields";

const ISSUES = [
  { path: ["name"], message: "is required" },
  { path: ["endpoints", 0, "base_url"], message: "must be a URL" },
];
const invalid = new ApiFailure(400, "Invalid request", "req_42", { issues: ISSUES });

it("lists issues by the labels of their fields, with the ID of the request", () => {
  render(<FailureAlert failure={invalid} />);
  const { textContent } = screen.getByRole("alert");
  expect(textContent).toContain("Some fields are invalid");
  expect(textContent).toContain("Name: is required");
  expect(textContent).toContain("req_42");
});

it("lists issues of JSON by their paths", () => {
  render(<FailureAlert failure={invalid} isOfJson />);
  expect(screen.getByRole("alert").textContent).toContain("endpoints.0.base_url: must be a URL");
});

it("leaves out issues that fields show, and itself if none is left", () => {
  const control = {};
  noteField(control, "name");
  const { rerender } = render(<FailureAlert failure={invalid} control={control} />);
  expect(screen.getAllByRole("listitem")).toHaveLength(1);
  noteField(control, "endpoints");
  rerender(<FailureAlert failure={invalid} control={control} />);
  expect(screen.queryByRole("alert")).toBeNull();
});

it.each([
  [new ApiFailure(0, "This device is offline", null, { reason: "offline" }), "Your changes weren't saved"],
  [new ApiFailure(0, "Can't reach Signalbox"), "your changes may not have been saved"],
])("says what happened to the changes without a response", (failure, text) => {
  render(<FailureAlert failure={failure} />);
  expect(screen.getByRole("alert").textContent).toContain(text);
});
