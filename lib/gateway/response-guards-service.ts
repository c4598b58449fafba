import "server-only";
import { checkRules } from "../engine/policy/check-rules";
import type { Endpoint } from "../engine/endpoint";
import { filteredBatches, type ResponseBatches } from "../engine/protocols/chunk-batches";
import type { Context } from "../platform/context";
import type { Signal } from "../platform/signal";
import { ResponseChecks } from "./checks/response-checks-service";
import type { Judging } from "./checks/check-service";
import type { Verdict } from "./decide-service";
import { responseFilter } from "./filters/create-response-filter-service";
import type { ResponseFilter } from "./filters/response-filter-service";

/** The content filter and the checks of a response; each is null when no rule applies to responses. */
export interface ResponseGuards {
  filter: ResponseFilter | null;
  checks: ResponseChecks | null;
}

/**
 * @param signal Aborted when no more of the response is sent.
 */
export function responseGuards(
  context: Context,
  { request, layers }: Verdict,
  judging: Judging,
  signal: Signal,
): ResponseGuards {
  const { settings, caller } = context;
  const rules = checkRules(layers, "response");
  const isChecked = rules.length > 0;
  return {
    filter: responseFilter({ settings, signal, caller }, request, layers, isChecked),
    checks: isChecked
      ? new ResponseChecks({ ...context, signal }, { rules, layers, protocol: request.protocol, judging })
      : null,
  };
}

/** Returns the chunks of a response that pass its filter and then its checks. */
export function guardedChunks(
  chunks: ResponseBatches,
  endpoint: Endpoint,
  { filter, checks }: ResponseGuards,
): ResponseBatches {
  const filtered = filter ? filteredBatches(chunks, (each) => filter.apply(each)) : chunks;
  return checks ? filteredBatches(filtered, (each) => checks.apply(each, endpoint.model.slug)) : filtered;
}

/** True when a response may be blocked before its first text. */
export const mayBlock = ({ filter, checks }: ResponseGuards): boolean => checks !== null || (filter?.canBlock ?? false);
