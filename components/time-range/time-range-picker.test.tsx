import { fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it, vi } from "vitest";
import type { TimeRange } from "./time-range";
import { TimeRangePicker } from "./time-range-picker";

const PRESETS = ["24h", "30d"] as const;
type Range = TimeRange<(typeof PRESETS)[number]>;

/** Opens a picker of at most 400 days. */
async function open(start: Partial<Range> = {}) {
  const user = userEvent.setup();
  const onChange = vi.fn<(change: Partial<Range>) => void>();
  function Picker() {
    const [value, setValue] = useState<Range>({ range: "24h", from: null, to: null, zone: "utc", ...start });
    const change = (next: Partial<Range>) => {
      onChange(next);
      setValue({ ...value, ...next });
    };
    return <TimeRangePicker value={value} onChange={change} presets={PRESETS} maxDays={400} />;
  }
  render(<Picker />);
  const button = screen.getByRole("button", { name: /Time range/ });
  await user.click(button);
  const panel = within(screen.getByRole("dialog", { name: "Time range" }));
  const enter = (end: "From" | "To", value: string) =>
    fireEvent.change(panel.getByLabelText(end), { target: { value } });
  const apply = () => user.click(panel.getByRole("button", { name: "Apply" }));
  return { user, onChange, button, panel, enter, apply };
}

it("marks the chosen range, and closes with another one", async () => {
  const { user, onChange, button, panel } = await open();
  expect(panel.getByRole("button", { name: "Last 24 hours" }).getAttribute("aria-pressed")).toBe("true");
  await user.click(panel.getByRole("button", { name: "Last 30 days" }));
  expect(onChange).toHaveBeenCalledWith({ range: "30d", from: null, to: null });
  expect(button.textContent).toContain("Last 30 days");
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("validates an absolute range on Apply, and then while it changes", async () => {
  const { onChange, button, panel, enter, apply } = await open();
  expect(panel.queryByText(/is required/)).toBeNull();
  await apply();
  panel.getByLabelText("From", { selector: "[aria-invalid=true]" });
  panel.getByText("Start is required");
  panel.getByText("End is required");
  enter("From", "2020-01-02T00:00");
  enter("To", "2020-01-01T00:00");
  expect(panel.queryByText("Start is required")).toBeNull();
  panel.getByText("Must be after the start");
  enter("To", "2022-01-01T00:00");
  panel.getByText("At most 400 days before the end");
  await apply();
  expect(onChange).not.toHaveBeenCalled();
  enter("To", "2020-01-03T00:00");
  await apply();
  const ends = { from: "2020-01-02T00:00:00.000Z", to: "2020-01-03T00:00:00.000Z" };
  expect(onChange).toHaveBeenCalledWith({ range: null, ...ends });
  expect(button.textContent).toContain("Jan 2, 00:00 – Jan 3, 00:00 UTC");
});

it("converts the ends to another time zone", async () => {
  const { user, onChange, panel } = await open({ range: null, from: "2020-01-02T00:00:00.000Z", zone: "local" });
  await user.click(panel.getByRole("radio", { name: "UTC" }));
  expect(onChange).toHaveBeenCalledWith({ zone: "utc" });
  expect(panel.getByLabelText("From")).toHaveProperty("value", "2020-01-02T00:00");
});
