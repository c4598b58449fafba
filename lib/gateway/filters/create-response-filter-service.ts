import "server-only";
import { phrasesOf } from "../../engine/policy/active-exceptions";
import { filterRules } from "../../engine/policy/filter-rules";
import type { Layer } from "../../engine/policy/layers";
import type { InferenceRequest } from "../../engine/protocols/inference-request";
import type { Context } from "../../platform/context";
import { ResponseFilter } from "./response-filter-service";
import { scanLimits } from "./scan-service";

/**
 * Creates the filter of a response; null when no rule applies to responses. For checks, the whole response is held back
 * with every text in one piece.
 */
export function responseFilter(
  context: Pick<Context, "settings" | "signal" | "caller">,
  request: InferenceRequest,
  layers: readonly Layer[],
  isChecked: boolean,
): ResponseFilter | null {
  const rules = filterRules(layers, "response");
  if (rules.length === 0 && !isChecked) return null;
  return new ResponseFilter({
    rules,
    phrases: phrasesOf(layers),
    limits: scanLimits(context),
    isStreamed: request.body.stream && !isChecked,
    isChecked,
    isJson: answerFormat(request)?.type.startsWith("json") ?? false,
  });
}

/** Returns the format that the request asks for. */
function answerFormat({ protocol, body }: InferenceRequest): { type: string } | null | undefined {
  if (protocol === "messages") return body.output_config?.format ?? body.output_format;
  return protocol === "responses" ? body.text?.format : body.response_format;
}
