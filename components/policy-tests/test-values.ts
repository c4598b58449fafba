import { ruleName } from "@/lib/engine/filters/vocabulary";
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

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const member = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined;

/** The last text of the user in a request. */
function userText({ request }: TestStart): string {
  if (typeof request["input"] === "string") return request["input"];
  const messages = [...asList(request["messages"]), ...asList(request["input"])];
  const content = member(
    messages.findLast((message) => member(message, "role") === "user"),
    "content",
  );
  return typeof content === "string"
    ? content
    : asList(content)
        .map((part) => textOf(member(part, "text")))
        .join(" ");
}

const MOST_NAMED = 60;
/** Words that may be personal data, such as card numbers and email addresses. */
const PRIVATE = /\S*(?:\d{3}|@)\S*(?:\s+\S*(?:\d{3}|@)\S*)*/g;

function shortened(text: string): string {
  const line = text.replaceAll(PRIVATE, "…").replaceAll(/\s+/g, " ").trim();
  if (line.length <= MOST_NAMED) return line;
  const cut = line.slice(0, MOST_NAMED);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), MOST_NAMED / 2))}…`;
}

const OUTCOMES: Readonly<Record<Outcome, string>> = {
  allowed: "Allowed",
  redacted: "Redacted",
  flagged: "Flagged",
  blocked: "Blocked",
  no_endpoint: "No endpoint",
};

/** A name that says which rule has which effect on which text; empty without a text. */
export function suggestedName(start: TestStart): string {
  const text = shortened(userText(start));
  if (text === "") return "";
  const { outcome, field, rule } = start.expected;
  const subject = ruleName({ field, rule }) ?? (field === null ? null : fieldName(field));
  return `${OUTCOMES[outcome]}${subject === null ? "" : ` by ${subject}`}: “${text}”`;
}

const fieldName = (field: string) => `${field.charAt(0).toUpperCase()}${field.slice(1).replaceAll("_", " ")}`;

/** The values of a form. A test without a name gets one that can be changed. */
export function toTestValues(start: TestStart, guardrailId: string): TestValues {
  const { request, answer, expected } = start;
  const name = start.name === "" ? suggestedName(start) : start.name;
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

/** Decisions with the one that decided the outcome first, for a list that preselects its guardrail. */
export const decidingFirst = <T extends { action: string }>(decisions: readonly T[]): T[] =>
  decisions.toSorted((a, b) => rank(a) - rank(b));

const DECIDING = ["block", "redact", "flag"];
const rank = ({ action }: { action: string }) =>
  (DECIDING.indexOf(action) + DECIDING.length + 1) % (DECIDING.length + 1);

/** Removes duplicate guardrails and keeps their order. */
export function distinctGuardrails(
  named: readonly { guardrail_id: string | null; guardrail_name: string | null }[],
): NamedGuardrail[] {
  const found = new Map<string, NamedGuardrail>();
  for (const { guardrail_id: id, guardrail_name } of named)
    if (id !== null) found.set(id, { id, name: guardrail_name ?? "" });
  return [...found.values()];
}
