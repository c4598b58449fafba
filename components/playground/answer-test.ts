import type { TestStart } from "@/components/policy-tests/test-values";
import type { Generation } from "@/lib/records/generations/contract";
import { messagesOf, type Turn } from "./conversation";

type Expected = TestStart["expected"];

const DECIDING = [
  ["redact", "redacted"],
  ["flag", "flagged"],
] as const;

/** The outcome of a recorded request as a test expects it; null if no test can, as for budgets. */
export function expectedOf({ status, decisions }: Pick<Generation, "status" | "decisions">): Expected | null {
  const before = decisions.filter(({ direction }) => direction !== "response");
  const rule = (action: string) => before.find((decision) => decision.action === action);
  if (status === "blocked") {
    const blocking = decisions.find(({ action }) => action === "block");
    if (blocking?.field === "limit_usd") return null;
    if (blocking) return { outcome: "blocked", field: blocking.field, rule: blocking.rule };
    return { outcome: "no_endpoint", field: null, rule: null };
  }
  for (const [action, outcome] of DECIDING) {
    const deciding = rule(action);
    if (deciding) return { outcome, field: deciding.field, rule: deciding.rule };
  }
  return { outcome: "allowed", field: null, rule: null };
}

/** Initial values of a test for the request of an answer; a single prompt is edited as plain text. */
export function testOf(
  generation: Pick<Generation, "status" | "decisions" | "requested_model">,
  systemPrompt: string,
  turns: readonly Turn[],
): TestStart | null {
  const expected = expectedOf(generation);
  if (!expected) return null;
  const model = generation.requested_model;
  const [only, ...others] = messagesOf(systemPrompt, turns);
  const isPlain = others.length === 0 && only?.["role"] === "user";
  return {
    name: "",
    answer: null,
    expected,
    ...(isPlain
      ? { protocol: "responses" as const, request: { model, input: only["content"] } }
      : { protocol: "chat_completions" as const, request: { model, messages: messagesOf(systemPrompt, turns) } }),
  };
}
