import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { UserContext } from "@/components/session/user-context";
import type { Replay, ReplayRow } from "@/lib/features/replay/contract";
import { ImpactResult } from "./impact-result";

afterEach(() => vi.unstubAllGlobals());

const VERDICT = { outcome: "allowed", message: null, provider: null, model: null, decisions: [] } as const;
const ROW: ReplayRow = {
  generation_id: "gen-1795294712-00000000000000000000",
  created_at: "2026-11-20T10:00:00.000Z",
  change: "newly_blocked",
  before: { ...VERDICT, decisions: [] },
  after: { ...VERDICT, outcome: "blocked", decisions: [] },
  why: "Blocked by [CODE]",
  found: [],
};
const RESULT: Replay = {
  selected: 3,
  truncated: false,
  evaluated: 1,
  not_evaluable: 2,
  obstacles: { content_not_permitted: 2 },
  unchanged: 0,
  newly_blocked: 1,
  newly_redacted: 0,
  newly_flagged: 0,
  newly_allowed: 0,
  rerouted: 0,
  no_endpoint: 0,
  budget_exhausted: 0,
  budgets: [],
  rows: [ROW],
  next_cursor: null,
};

it("asks for no stored request without contents:read, and says what couldn't be evaluated", async () => {
  const fetch = vi.fn();
  vi.stubGlobal("fetch", fetch);
  const user = userEvent.setup();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <UserContext value={{ name: "Ada", permissions: ["guardrails:read"] }}>
        <ImpactResult result={RESULT} onMore={vi.fn()} isBusy={false} />
      </UserContext>
    </QueryClientProvider>,
  );
  expect(screen.getByText("2 requests whose content your role can’t read, for a new filter")).toBeDefined();
  await user.click(screen.getByRole("button", { name: /Blocked by \[CODE\]/ }));
  expect(await screen.findByText(/permission contents:read/)).toBeDefined();
  expect(fetch).not.toHaveBeenCalled();
});
