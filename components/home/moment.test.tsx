import { render } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Moment } from "./moment";

vi.mock("@/components/ui/use-now", () => ({ useNow: () => Date.parse("2026-11-29T12:00:00.000Z") }));
vi.mock("@/components/ui/use-zone", () => ({ useZone: () => "UTC" }));

it.each([
  ["2026-12-01T00:00:00.000Z", "Tuesday 00:00"],
  ["2026-10-08T12:04:00.000Z", "Oct 8, 12:04"],
  ["2027-10-08T12:04:00.000Z", "Oct 8, 2027, 12:04"],
])("shows %s as %s", (at, text) => {
  expect(render(<Moment at={at} />).container.textContent).toBe(text);
});
