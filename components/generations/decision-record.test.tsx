import { render, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { UserContext } from "@/components/session/user-context";
import type { Decision } from "@/lib/engine/decision/contract";
import type { Generation } from "@/lib/records/generations/contract";
import { DecisionRecord } from "./decision-record";

const decision = (fields: Pick<Decision, "field" | "rule" | "action"> & Partial<Decision>): Decision => ({
  scope: "key",
  guardrail_id: "019aa000-0000-7000-8000-000000000000",
  guardrail_name: "Trial",
  revision: 3,
  spans: [],
  ...fields,
});
const GENERATION = {
  status: "succeeded",
  attempts: [{ provider: "p", provider_name: "P", model: "m", status: 200, latency_ms: 1, error: null }],
  preset_id: null,
  preset_version: null,
  provider_name: "P",
  cost_known: true,
  total_cost: 0,
  usage_estimated: false,
};

function show(decisions: readonly Decision[]) {
  render(
    <UserContext value={{ name: "Ada", permissions: [] }}>
      <DecisionRecord generation={{ ...GENERATION, decisions } as Generation} />
    </UserContext>,
  );
  return (title: string) => {
    const stage = screen.getByRole("heading", { name: title }).closest("li");
    return [
      stage?.querySelector("div")?.textContent,
      ...within(stage as HTMLElement)
        .queryAllByRole("listitem")
        .map(({ textContent }) => textContent),
    ];
  };
}

it("shows what a guardrail that only observes would have done, but not as applied", () => {
  const stage = show([
    decision({ field: "content_filter_builtins", rule: "email", action: "would_block" }),
    decision({ field: "allowed_models", rule: "a by p", action: "would_exclude" }),
    decision({ field: "limit_usd", rule: "daily limit of $5.00", action: "would_block" }),
  ]);
  expect(stage("Guardrails")).toEqual(["GuardrailsNo rules applied, 1 only observed"]);
  expect(stage("Content filters")).toEqual([
    "Content filtersMatches found",
    "would have blockedEmail addressesTrial@3 (key)",
  ]);
  expect(stage("Candidates")).toEqual([
    "CandidatesEndpoint available",
    "would have excludeda by p by allowed modelsTrial@3 (key)",
  ]);
  expect(stage("Budgets")).toEqual([
    "BudgetsObserved limit reached",
    "would have blockeddaily limit of $5.00Trial@3 (key)",
  ]);
  expect(screen.queryByText("Stopped here")).toBeNull();
});

it("counts the guardrails that applied apart from those that only observed", () => {
  const other = "019aa000-0000-7000-8000-000000000001";
  const stage = show([
    decision({ field: "content_filter_builtins", rule: "email", action: "redact", guardrail_id: other }),
    decision({ field: "content_filter_builtins", rule: "phone", action: "would_redact" }),
  ]);
  expect(stage("Guardrails")).toEqual(["Guardrails1 guardrail applied, 1 only observed"]);
});
