import "server-only";
import { createHash } from "node:crypto";
import type { ChatCompletionsBody, ResponsesBody } from "../../gateway/contract";
import { TUNING_PARAMETERS } from "./parameters";

/**
 * Returns the body fields to send upstream: documented ones, and optional ones the upstream is known to support.
 * @param supported Endpoint.supportedParameters
 */
export function knownFields(
  body: Readonly<Record<string, unknown>>,
  documented: readonly string[],
  optional: readonly string[],
  supported: readonly string[] | null,
): Record<string, unknown> {
  const names = [
    ...documented.filter((name) => !supported || !TUNING_PARAMETERS.has(name) || supported.includes(name)),
    ...optional.filter((name) => supported?.includes(name)),
  ];
  return Object.fromEntries(
    names.flatMap((name) => (body[name] === undefined || body[name] === null ? [] : [[name, body[name]]])),
  );
}

/** `fast` is an alias of `priority`. */
export const serviceTierOf = ({ service_tier: tier }: ChatCompletionsBody | ResponsesBody) =>
  tier === "fast" ? "priority" : tier;

/** The end user as a hash: the identifier itself is never forwarded (docs/semantics.md#end-users). */
export function endUserOf(body: ChatCompletionsBody | ResponsesBody): string | null {
  const name = ("safety_identifier" in body ? body.safety_identifier : null) ?? body.user;
  return name ? createHash("sha256").update(`signalbox safety identifier\0${name}`).digest("hex") : null;
}
