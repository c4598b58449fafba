import type { Endpoint, Protocol } from "../../engine/endpoint";
import { BETA_HEADERS } from "../../engine/filters/coverage";
import type { ClientAttributes } from "../../platform/context";

/** Returns the beta features in a caller's header. */
export const betasOf = (protocol: Protocol, { anthropicBeta, openaiBeta }: ClientAttributes): string | null =>
  (protocol === "messages" ? anthropicBeta : openaiBeta) ?? null;

/** Returns the caller's headers that an upstream of the same protocol receives: beta features. */
export function forwardedHeaders(
  protocol: Protocol,
  { provider }: Endpoint,
  client: ClientAttributes,
): Record<string, string> {
  const betas = provider.protocol === protocol ? betasOf(protocol, client) : null;
  return betas === null ? {} : { [BETA_HEADERS[protocol]]: betas };
}
