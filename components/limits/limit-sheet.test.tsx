import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { UserContext } from "@/components/session/user-context";
import { PERMISSION_NAMES } from "@/lib/platform/permissions";
import type { Limit } from "@/lib/records/limits/contract";
import { LimitSheet } from "./limit-sheet";

vi.mock("@/lib/browser/page-router", () => ({ usePageRouter: () => ({ push: vi.fn() }) }));

afterEach(() => vi.unstubAllGlobals());

const LIMIT: Limit = {
  id: "01980000-0000-7000-8000-000000000001",
  name: "Search team",
  workspace_id: null,
  subject_type: "organization",
  subject_ids: null,
  subject_names: null,
  metric: "spend",
  amount: 500,
  reset_interval: "monthly",
  time_zone: "UTC",
  starts: { hour: 0, weekday: 1, month_day: 1 },
  include_byok: false,
  carry_over: false,
  enabled: true,
  closest: null,
  revision: 1,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: null,
};

it("says why a limit isn't deleted, and no longer when it asks again", async () => {
  const message = "Deletion failed";
  vi.stubGlobal("fetch", (url: string, { method = "GET" }: RequestInit) => {
    if (method !== "GET") return Promise.resolve(Response.json({ error: { code: 409, message } }, { status: 409 }));
    if (url.includes("/subjects")) return Promise.resolve(Response.json({ data: [], total_count: 0 }));
    return Promise.resolve(Response.json({ data: LIMIT }));
  });
  const onClose = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <UserContext value={{ name: "Ada", permissions: PERMISSION_NAMES }}>
        <LimitSheet id={LIMIT.id} onClose={onClose} />
      </UserContext>
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  const ask = async () => {
    await user.click(await screen.findByRole("button", { name: "Delete limit…" }));
    return within(await screen.findByRole("alertdialog", { name: "Delete “Search team”?" }));
  };
  const question = await ask();
  await user.click(question.getByRole("button", { name: "Delete limit" }));
  await question.findByText(new RegExp(message));
  await user.click(question.getByRole("button", { name: "Cancel" }));
  expect((await ask()).queryByText(new RegExp(message))).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
});
