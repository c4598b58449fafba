import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { EffectivePolicy as Policy } from "@/lib/features/policy-check/contract";
import { EffectivePolicy } from "./effective-policy";

const layer = (name: string, mode: Policy["layers"][number]["mode"]): Policy["layers"][number] => ({
  scope: "key",
  guardrail_id: `id-${name}`,
  guardrail_name: name,
  revision: 2,
  mode,
});
const UNSET = { value: null, sources: [] };
const OFF = { value: false, sources: [] };
const FIELDS = {
  allowed_models: UNSET,
  ignored_models: UNSET,
  allowed_providers: UNSET,
  ignored_providers: UNSET,
  allowed_data_regions: UNSET,
  enforce_zdr_vendor_a: OFF,
  enforce_zdr_vendor_b: OFF,
  enforce_zdr_vendor_c: OFF,
  enforce_zdr_other: OFF,
  content_filter_builtins: [],
  content_filters: [],
  judges: [],
  external_checks: [],
};

function show(layers: Policy["layers"], limit_usd: readonly object[] = []) {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ data: { layers, fields: { ...FIELDS, limit_usd } } })));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <EffectivePolicy keyHash="abc" />
    </QueryClientProvider>,
  );
}
afterEach(() => vi.unstubAllGlobals());

it("lists guardrails that only observe apart, and doesn't take them for restrictions", async () => {
  show([layer("Trial", "observe")]);
  await screen.findByText("No restrictions apply to this key.");
  screen.getByText(/Assign a guardrail above/);
  const observing = screen.getByText(/^Only observing:/);
  expect(observing.textContent).toBe("Only observing:Trial@2(key's guardrail)");
  expect(within(observing).getByRole("link").getAttribute("href")).toBe("/guardrails/id-Trial");
});

it("names the guardrail that is enforced without restrictions, and no other", async () => {
  show([layer("Trial", "observe"), layer("Empty", "enforce")]);
  expect((await screen.findByText(/applies, but has no restrictions/)).textContent).toContain("Empty@2");
});

it("says that an observed budget refuses nothing", async () => {
  const { mode: _, ...source } = layer("Trial", "observe");
  const budget = { ...source, limit_usd: 5, reset_interval: "daily", counted_per: "key" };
  show([layer("Trial", "observe")], [{ ...budget, observed: true }]);
  await screen.findByText("(observed, refuses nothing)");
});
