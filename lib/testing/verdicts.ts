import { expect } from "vitest";
import * as guardrails from "../features/guardrails/service";
import { explain } from "../features/replay/why-service";
import type { Context } from "../platform/context";
import type { ExternalCheck } from "../engine/checks/contract";

/** Outcomes of requests, with the external check's response. */
export const CHECKED: readonly [outcome: string, answer: object][] = [
  ["allowed", { action: "allow" }],
  ["blocked", { action: "block", reason: "no" }],
  ["redacted", { action: "redact", texts: [{ index: 0, text: "x" }] }],
  ["blocked", { action: "?" }],
];

/**
 * Re-evaluates a generation that a guardrail's external check decided: with the recorded result, after replacing the
 * check by one without a known result, and without the check.
 */
export async function expectReevaluated(
  context: Context,
  { id, guardrailId }: { id: string; guardrailId: string },
  outcome: string,
  changed: ExternalCheck,
): Promise<void> {
  const why = async (as_of: "then" | "now") =>
    (await explain(context, { params: {}, query: { id, as_of }, body: undefined })).data;
  const change = (external_checks: ExternalCheck[] | null) =>
    guardrails.update(context, { params: { id: guardrailId }, query: {}, body: { external_checks } });
  for (const as_of of ["then", "now"] as const) {
    const verdict = await why(as_of);
    expect(verdict).toMatchObject({ recorded: { outcome }, verdict: { outcome }, obstacle: null, is_same: true });
    expect(verdict.recorded.decisions).toMatchObject(verdict.verdict?.decisions ?? []);
  }
  await change([changed]);
  expect(await why("now")).toMatchObject({ obstacle: { code: "not_checked" }, verdict: null });
  await change(null);
  expect(await why("now")).toMatchObject({ verdict: { outcome: "allowed" } });
}
