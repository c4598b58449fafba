import "server-only";
import { checkRules } from "../engine/policy/check-rules-policy";
import type { Endpoint } from "../engine/endpoint";
import { filteredBatches, type AnswerBatches } from "../engine/protocols/chunk-batches";
import type { Context } from "../platform/context";
import type { Signal } from "../platform/signal";
import { AnswerChecks } from "./checks/answer-checks-service";
import type { Judging } from "./checks/check-service";
import type { Verdict } from "./decide-service";
import { answerFilter } from "./filters/answer-filter-service";
import type { AnswerFilter } from "./filters/answer-service";

/** The content filter and the checks of a response; each is null when no rule applies to responses. */
export interface AnswerGuards {
  filter: AnswerFilter | null;
  checks: AnswerChecks | null;
}

/**
 * @param signal Aborted when no more of the response is sent.
 */
export function answerGuards(
  context: Context,
  { request, layers }: Verdict,
  judging: Judging,
  signal: Signal,
): AnswerGuards {
  const { settings, caller } = context;
  const rules = checkRules(layers, "response");
  const isChecked = rules.length > 0;
  return {
    filter: answerFilter({ settings, signal, caller }, request, layers, isChecked),
    checks: isChecked
      ? new AnswerChecks({ ...context, signal }, { rules, layers, protocol: request.protocol, judging })
      : null,
  };
}

/** Returns the chunks of a response that pass its filter and then its checks. */
export function guardedChunks(
  chunks: AnswerBatches,
  endpoint: Endpoint,
  { filter, checks }: AnswerGuards,
): AnswerBatches {
  const filtered = filter ? filteredBatches(chunks, (each) => filter.apply(each)) : chunks;
  return checks ? filteredBatches(filtered, (each) => checks.apply(each, endpoint.model.slug)) : filtered;
}

/** True when a response may be blocked before its first text. */
export const mayBlock = ({ filter, checks }: AnswerGuards): boolean => checks !== null || (filter?.canBlock ?? false);
