import "server-only";
import { phrasesOf } from "../../engine/policy/exception-policy";
import { filterRules } from "../../engine/policy/filter-rules-policy";
import type { Layer } from "../../engine/policy/layers";
import type { InferenceRequest } from "../../engine/protocols/inference-request";
import type { Context } from "../../platform/context";
import { AnswerFilter } from "./answer-service";
import { scanLimits } from "./scan-service";

/**
 * Creates the filter of an answer; null when no rule applies to answers. For checks the whole answer is held back, with
 * every text in one piece.
 */
export function answerFilter(
  context: Pick<Context, "settings" | "signal" | "caller">,
  request: InferenceRequest,
  layers: readonly Layer[],
  isChecked: boolean,
): AnswerFilter | null {
  const rules = filterRules(layers, "response");
  if (rules.length === 0 && !isChecked) return null;
  const format = request.protocol === "responses" ? request.body.text?.format : request.body.response_format;
  return new AnswerFilter({
    rules,
    phrases: phrasesOf(layers),
    limits: scanLimits(context),
    isStreamed: request.body.stream && !isChecked,
    isChecked,
    isJson: format?.type.startsWith("json") ?? false,
  });
}
