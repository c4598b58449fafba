import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, expect, it, vi } from "vitest";
import { BudgetsPage } from "./budgets-page";

afterEach(() => vi.unstubAllGlobals());

const LIMIT = {
  id: "01980000-0000-7000-8000-000000000001",
  workspace_id: null,
  subject_type: "organization",
  subject_ids: null,
  subject_names: null,
  metric: "spend",
  amount: 10,
  reset_interval: null,
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

function show(answers: Record<string, (url: string) => Response>, search = "") {
  vi.stubGlobal("fetch", async (url: string) => {
    const [, answer] = Object.entries(answers).find(([path]) => url.startsWith(`/v1${path}`)) ?? [];
    return answer ? answer(url) : Response.json({ data: [], total_count: 0 });
  });
  render(
    <NuqsTestingAdapter searchParams={search}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <BudgetsPage />
      </QueryClientProvider>
    </NuqsTestingAdapter>,
  );
}

it("says what limits are for while there is none", async () => {
  show({});
  await screen.findByText("No limits yet");
});

it("loads the limits of all pages", async () => {
  show({
    "/limits": (url) => {
      const offset = Number(new URL(url, "http://box.test").searchParams.get("offset") ?? 0);
      const data = Array.from({ length: offset === 0 ? 100 : 1 }, (_, index) => ({
        ...LIMIT,
        id: `limit-${offset + index}`,
        name: `Limit ${offset + index}`,
      }));
      return Response.json({ data, total_count: 101 });
    },
  });
  await screen.findByText("Limit 100");
  screen.getByText("Limit 0");
});

it("tells who has no access", async () => {
  const refused = () => Response.json({ error: { code: 403, message: "Only management keys" } }, { status: 403 });
  show({ "/limits": refused });
  await screen.findByText("You don’t have access to limits");
  expect(screen.queryByRole("button", { name: "New limit" })).toBeNull();
});

it("opens no form for a new limit without the permission", async () => {
  show({}, "?limit=new");
  await screen.findByText("No limits yet");
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("counts what isn't shown without the limits", async () => {
  const budgets = vi.fn(() => Response.json({ data: [], total_count: 0 }));
  show({ "/budgets": budgets });
  await screen.findByText("No limits yet");
  expect(budgets).toHaveBeenCalledWith("/v1/budgets?limit=100&include_limits=false");
});
