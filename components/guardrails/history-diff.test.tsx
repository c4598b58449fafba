import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { GuardrailFields } from "@/lib/engine/policy/contract";
import type { GuardrailVersion } from "@/lib/records/guardrails/versions-contract";
import { EMPTY_VALUES } from "./guardrail-values";
import { HistoryDiff } from "./history-diff";

const ID = "019aa000-0000-7000-8000-000000000000";

const revision = (n: number, mode: GuardrailFields["mode"]) => {
  const version: GuardrailVersion = {
    revision: n,
    author: null,
    created_at: "2026-03-01T00:00:00.000Z",
    message: null,
    changed_fields: ["mode"],
  };
  return { ...version, fields: { ...EMPTY_VALUES, mode } };
};

beforeEach(() =>
  vi.stubGlobal("fetch", (url: string) =>
    Promise.resolve(
      Response.json({ data: url.endsWith("/versions/1") ? revision(1, "observe") : revision(2, "enforce") }),
    ),
  ),
);
afterEach(() => vi.unstubAllGlobals());

it("shows the mode in words", async () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <HistoryDiff id={ID} from={1} to={2} />
    </QueryClientProvider>,
  );
  const changes = await screen.findByRole("group", { name: "Changes from Revision 1 to Revision 2" });
  expect(changes.querySelector("dl")?.textContent).toBe("ModeChangedObserve onlyEnforce");
});
