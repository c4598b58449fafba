import "server-only";
import type { Context } from "../../platform/context";
import { checkDecisions, outcomeWith } from "../../engine/checks/check-result";
import { ResponseBlocked } from "../../engine/filters/response-blocked";
import { findingsToDecisions, outcomeOf, type FilterOutcome } from "../../engine/filters/findings";
import { checkRules } from "../../engine/policy/check-rules";
import { accumulate, newAccumulated } from "../../engine/protocols/accumulate";
import { ChatUpstreamReader } from "../../engine/protocols/chat/upstream-reader";
import { ResponseChecks } from "../../gateway/checks/response-checks-service";
import type { Judging } from "../../gateway/checks/check-service";
import type { Verdict } from "../../gateway/decide-service";
import { responseFilter } from "../../gateway/filters/create-response-filter-service";
import type { PolicyCheck } from "./contract";

/** Outcomes of filters, weakest first. */
const STRENGTH: readonly PolicyCheck["outcome"][] = ["allowed", "flagged", "redacted", "blocked"];

/** Adds the effect of response filters and checks to the result of a request that would be sent. */
export async function withAnswer(
  context: Context,
  { request, layers, models, plan }: Pick<Verdict, "request" | "layers" | "models" | "plan">,
  check: PolicyCheck,
  { content, judging }: { content: string; judging: Judging },
): Promise<PolicyCheck> {
  if (check.request === null) return { ...check, answer: null };
  const rules = checkRules(layers, "response");
  const filter = responseFilter(context, request, layers, rules.length > 0);
  if (!filter) return { ...check, answer: content };
  const model = plan.candidates[0]?.model.slug ?? models[0];
  const checks = new ResponseChecks(context, { rules, layers, protocol: request.protocol, judging });
  const message = { role: "assistant", content };
  const given = new ChatUpstreamReader().readWhole({ choices: [{ index: 0, message, finish_reason: "stop" }] });
  const filtered = filter.apply(asStream(given));
  const released = newAccumulated();
  const refusal = await (async () => {
    for await (const chunk of rules.length > 0 ? checks.apply(filtered, model) : filtered) accumulate(released, chunk);
    return null;
  })().catch((error: unknown) => {
    if (error instanceof ResponseBlocked) return error.error;
    throw error;
  });
  const outcome: FilterOutcome = refusal ? "blocked" : outcomeWith(outcomeOf(filter.findings), checks.results);
  return {
    ...check,
    outcome: STRENGTH.indexOf(outcome) > STRENGTH.indexOf(check.outcome) ? outcome : check.outcome,
    message: refusal?.message ?? check.message,
    decisions: [
      ...check.decisions,
      ...findingsToDecisions(filter.findings, "response"),
      ...checkDecisions(checks.results, "response"),
    ],
    answer: refusal ? null : released.content,
  };
}

async function* asStream<T>(values: readonly T[]): AsyncGenerator<T, void> {
  yield* await Promise.resolve(values);
}
