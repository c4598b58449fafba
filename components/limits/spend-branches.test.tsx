import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { Limit, LimitStanding } from "@/lib/records/limits/contract";
import { SpendBranches } from "./spend-branches";
import { spendTree } from "./spend-tree";

const standing: LimitStanding = {
  id: "eve",
  name: "eve",
  limit: 10,
  used: 6,
  reserved: 1,
  remaining: 3,
  window_start: "2026-11-01T00:00:00.000Z",
  resets_at: "2026-12-01T00:00:00.000Z",
  exhausted_at: "2026-11-20T10:00:00.000Z",
};
const limit: Limit = {
  id: "01980000-0000-7000-8000-000000000001",
  name: "Each end user",
  workspace_id: null,
  subject_type: "end_user",
  subject_ids: null,
  subject_names: null,
  metric: "spend",
  amount: 10,
  reset_interval: "monthly",
  time_zone: "UTC",
  starts: { hour: 0, weekday: 1, month_day: 1 },
  include_byok: false,
  carry_over: false,
  enabled: true,
  closest: standing,
  revision: 1,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: null,
};

it("shows limits with what is left, and marks the one that is reached first", async () => {
  const onOpen = vi.fn();
  const off: Limit = { ...limit, id: "2", name: "Old", subject_type: "organization", enabled: false, closest: null };
  const rate: Limit = {
    ...limit,
    id: "3",
    name: "Rate",
    workspace_id: "w1",
    subject_type: "key",
    metric: "requests",
    reset_interval: "minutely",
    closest: { ...standing, name: "Nightly", remaining: 0, exhausted_at: null },
  };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SpendBranches
        branches={spendTree([limit, off, rate], [], [{ id: "w1", name: "Research" }])}
        hidden={2}
        onOpen={onOpen}
      />
    </QueryClientProvider>,
  );
  expect(screen.getByRole("status").textContent).toMatch(/^Each end user is reached first: at the current pace, on /);
  const organization = within(screen.getByRole("region", { name: "Organization" }));
  const endUsers = within(organization.getByRole("list", { name: "End users" }));
  endUsers.getByText("Reached first");
  endUsers.getByText("Each end user: $10.00 per month");
  expect(endUsers.getByRole("meter", { name: "eve" }).getAttribute("aria-valuetext")).toBe("$7.00 of $10.00");
  endUsers.getByText(/^\$3\.00 left\./);
  organization.getByText("Off");
  organization.getByText("Nothing used in this period");
  const research = within(screen.getByRole("region", { name: "Research" }));
  research.getByText(/^Limit reached\./);
  screen.getByText("2 more aren’t shown.");
  await userEvent.click(research.getByRole("button", { name: "Open Rate" }));
  expect(onOpen).toHaveBeenCalledWith("3");
});
