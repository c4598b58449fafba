import type { PolicyTest } from "@/lib/features/policy-tests/contract";
import type { TEST_OUTCOMES } from "@/lib/features/policy-tests/vocabulary";
import type { NewPolicyTest } from "./policy-test-queries";

type Outcome = (typeof TEST_OUTCOMES)[number];

/** Initial or stored values of a test. */
export type TestStart = Pick<PolicyTest, "name" | "request" | "protocol" | "answer" | "expected">;

export interface TestValues {
  guardrailId: string;
  name: string;
  model: string;
  prompt: string;
  /** The request as JSON if it is more than a plain prompt; otherwise null. */
  json: string | null;
  /** A model's response; empty for none. */
  answer: string;
  outcome: Outcome;
  /** The rule expected to decide, from `deciderOf`, or `ANY_RULE`. */
  decider: string;
}

export const ANY_RULE = "any";

export const OUTCOME_OPTIONS = [
  { value: "allowed", label: "Allowed unchanged" },
  { value: "redacted", label: "Redacted" },
  { value: "flagged", label: "Flagged" },
  { value: "blocked", label: "Blocked" },
  { value: "no_endpoint", label: "No endpoint available" },
] as const satisfies readonly { value: Outcome; label: string }[];

export const deciderOf = (field: string | null, rule: string | null): string =>
  field === null && rule === null ? ANY_RULE : JSON.stringify([field, rule]);

const isPrompt = ({ request, protocol }: TestStart) =>
  protocol === "responses" &&
  typeof request["input"] === "string" &&
  Object.keys(request).every((key) => key === "model" || key === "input");
const textOf = (value: unknown) => (typeof value === "string" ? value : "");

export function toTestValues(start: TestStart, guardrailId: string): TestValues {
  const { name, request, answer, expected } = start;
  const { field, rule, outcome } = expected;
  const isPlain = isPrompt(start);
  return {
    guardrailId,
    name,
    model: textOf(request["model"]),
    prompt: isPlain ? textOf(request["input"]) : "",
    json: isPlain ? null : JSON.stringify(request, null, 2),
    answer: answer ?? "",
    outcome,
    decider: deciderOf(field, rule),
  };
}

function parsed(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** The request body, or the first invalid field and its message. */
export function toPolicyTest(
  { name, model, prompt, json, answer, outcome, decider }: TestValues,
  protocol: PolicyTest["protocol"],
): NewPolicyTest | { field: keyof TestValues; message: string } {
  if (name.trim() === "") return { field: "name", message: "Name is required" };
  if (json === null && prompt === "") return { field: "prompt", message: "Prompt is required" };
  if (json === null && model.trim() === "") return { field: "model", message: "Model is required" };
  const request = json === null ? { model: model.trim(), input: prompt } : parsed(json);
  if (!request) return { field: "json", message: "Must be a JSON object" };
  const [field, rule] = decider === ANY_RULE ? [null, null] : (JSON.parse(decider) as [string | null, string | null]);
  return {
    name: name.trim(),
    request,
    protocol,
    answer: answer === "" ? null : answer,
    expected: { outcome, field, rule },
  };
}

export interface NamedGuardrail {
  id: string;
  name: string;
}

/** Removes duplicate guardrails and keeps their order. */
export function distinctGuardrails(
  named: readonly { guardrail_id: string | null; guardrail_name: string | null }[],
): NamedGuardrail[] {
  const found = new Map<string, NamedGuardrail>();
  for (const { guardrail_id: id, guardrail_name } of named)
    if (id !== null) found.set(id, { id, name: guardrail_name ?? "" });
  return [...found.values()];
}
