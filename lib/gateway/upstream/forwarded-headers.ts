import type { Endpoint, Protocol } from "../../engine/endpoint";
import type { ClientAttributes } from "../../platform/context";

/** Returns the caller's headers that an upstream of the same protocol receives: features in beta. */
export function forwardedHeaders(
  protocol: Protocol,
  { provider }: Endpoint,
  { anthropicBeta, openaiBeta }: ClientAttributes,
): Record<string, string> {
  if (provider.protocol !== protocol) return {};
  if (protocol === "messages") return anthropicBeta ? { "anthropic-beta": anthropicBeta } : {};
  return openaiBeta ? { "openai-beta": openaiBeta } : {};
}
