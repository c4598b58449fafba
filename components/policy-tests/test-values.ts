import type { PolicyTest } from "@/lib/policy-tests/contract";
import type { TEST_OUTCOMES } from "@/lib/policy-tests/vocabulary";
import type { NewPolicyTest } from "./policy-test-queries";

type Outcome = (typeof TEST_OUTCOMES)[number];

/** What a test begins with, or is. */
export type TestStart = Pick<PolicyTest, "name" | "request" | "protocol" | "expected">;

export interface TestValues {
  guardrailId: string;
  name: string;
  model: string;
  prompt: string;
  /** The request as JSON where it is more than a prompt; else null. */
  json: string | null;
  outcome: Outcome;
  /** Which rule must decide, see `deciderOf`; `ANY_RULE`: whichever. */
  decider: string;
}

export const ANY_RULE = "any";

export const OUTCOME_OPTIONS = [
  { value: "allowed", label: "Allowed unchanged" },
  { value: "redacted", label: "Redacted" },
  { value: "flagged", label: "Flagged" },
  { value: "blocked", label: "Blocked" },
  { value: "no_endpoint", label: "No endpoint left" },
] as const satisfies readonly { value: Outcome; label: string }[];

export const deciderOf = (field: string | null, rule: string | null): string =>
  field === null && rule === null ? ANY_RULE : JSON.stringify([field, rule]);

const isPrompt = ({ request, protocol }: TestStart) =>
  protocol === "responses" &&
  typeof request["input"] === "string" &&
  Object.keys(request).every((key) => key === "model" || key === "input");
const textOf = (value: unknown) => (typeof value === "string" ? value : "");

export function toTestValues(start: TestStart, guardrailId: string): TestValues {
  const { name, request, expected } = start;
  const { field, rule, outcome } = expected;
  const isPlain = isPrompt(start);
  return {
    guardrailId,
    name,
    model: textOf(request["model"]),
    prompt: isPlain ? textOf(request["input"]) : "",
    json: isPlain ? null : JSON.stringify(request, null, 2),
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

/** What is sent, or the first field that is empty or unreadable and what it needs. */
export function toPolicyTest(
  { name, model, prompt, json, outcome, decider }: TestValues,
  protocol: PolicyTest["protocol"],
): NewPolicyTest | { field: keyof TestValues; message: string } {
  if (name.trim() === "") return { field: "name", message: "Say what it makes sure of" };
  if (json === null && prompt === "") return { field: "prompt", message: "Write the prompt" };
  if (json === null && model.trim() === "") return { field: "model", message: "Choose a model" };
  const request = json === null ? { model: model.trim(), input: prompt } : parsed(json);
  if (!request) return { field: "json", message: "Is no JSON object" };
  const [field, rule] = decider === ANY_RULE ? [null, null] : (JSON.parse(decider) as [string | null, string | null]);
  return { name: name.trim(), request, protocol, expected: { outcome, field, rule } };
}
