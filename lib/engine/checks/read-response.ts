import { parseJson } from "../../platform/json-values";
import { CheckResponse, LiteLlmResponse } from "./wire-contract";
import { replacementProblem, type CheckText } from "./check-texts";
import type { ExhaustedBudget } from "../budgets/budget-rule";
import type { EndpointRule } from "../../engine/policy/check-rules";

/** A check's verdict. `unavailable` means that it gave none; the request or answer is rejected. */
export type CheckVerdict =
  | { verdict: "allow" }
  | { verdict: "block"; reason: string | null }
  | { verdict: "redact"; reason: string | null; replacements: ReadonlyMap<number, string> }
  | { verdict: "flag"; reason: string | null }
  /** A policy check doesn't call judges, which would cost money. */
  | { verdict: "skip"; reason: string }
  /** A judge's request was denied by budgets. */
  | { verdict: "unaffordable"; reason: string; exhausted: readonly ExhaustedBudget[] }
  | { verdict: "unavailable"; reason: string };

const MAX_REASON = 300;

/** Shortens an endpoint's text and removes control characters, since it reaches callers and the log. */
export const plainReason = (text: string | null | undefined): string | null => {
  const plain = (text ?? "").replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
  if (plain === "") return null;
  return plain.length > MAX_REASON ? `${plain.slice(0, MAX_REASON)}…` : plain;
};

export const unavailable = (reason: string): CheckVerdict => ({ verdict: "unavailable", reason });

/** Reads an endpoint's answer. An answer that can't be parsed completely counts as none. */
export function readResponse(format: EndpointRule["format"], body: string, texts: readonly CheckText[]): CheckVerdict {
  let json: unknown;
  try {
    json = parseJson(body);
  } catch {
    return unavailable("The response isn't valid JSON");
  }
  return format === "litellm" ? readLiteLlm(json, texts) : readOwn(json, texts);
}

const misshapen = ({ issues: [first] }: { issues: readonly { path: PropertyKey[]; message: string }[] }) =>
  unavailable(`The response isn't valid: ${[first?.path.join("."), first?.message].filter(Boolean).join(": ")}`);

function readOwn(json: unknown, texts: readonly CheckText[]): CheckVerdict {
  const { data: answer, error } = CheckResponse.safeParse(json);
  if (error) return misshapen(error);
  if (answer.action === "allow") return { verdict: "allow" };
  const reason = plainReason(answer.reason);
  if (answer.action === "block") return { verdict: "block", reason };
  const replacements = new Map(answer.texts.map(({ index, text }) => [index, text]));
  return redacted(replacements, reason, texts);
}

function readLiteLlm(json: unknown, texts: readonly CheckText[]): CheckVerdict {
  const { data: answer, error } = LiteLlmResponse.safeParse(json);
  if (error) return misshapen(error);
  const reason = plainReason(answer.blocked_reason);
  if (answer.action === "BLOCKED") return { verdict: "block", reason };
  // Changed texts count with either action, as in LiteLLM.
  if (!answer.texts || answer.texts.length === 0)
    return answer.action === "NONE"
      ? { verdict: "allow" }
      : unavailable("The response changes something other than texts, which can't be applied");
  if (answer.texts.length !== texts.length)
    return unavailable(`The response has ${answer.texts.length} texts instead of ${texts.length}`);
  return redacted(new Map(answer.texts.entries()), reason, texts);
}

function redacted(
  given: ReadonlyMap<number, string>,
  reason: string | null,
  texts: readonly CheckText[],
): CheckVerdict {
  const replacements = new Map<number, string>();
  for (const [index, replacement] of given) {
    const text = texts[index];
    if (!text) return unavailable(`The response replaces text ${index}, which doesn't exist`);
    if (replacement === text.text) continue;
    const problem = replacementProblem(text, replacement);
    if (problem !== null) return unavailable(`The replacement of text ${index} ${problem}`);
    replacements.set(index, replacement);
  }
  return replacements.size === 0 ? { verdict: "allow" } : { verdict: "redact", reason, replacements };
}
