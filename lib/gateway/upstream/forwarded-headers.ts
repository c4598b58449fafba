import type { Endpoint, Protocol } from "../../engine/endpoint";
import { BETA_HEADERS } from "../../engine/filters/coverage";
import type { ClientAttributes } from "../../platform/context";

/** Returns the features in beta that a caller's header names. */
export const betasOf = (protocol: Protocol, { anthropicBeta, openaiBeta }: ClientAttributes): string | null =>
  (protocol === "messages" ? anthropicBeta : openaiBeta) ?? null;

/** Returns the caller's headers that an upstream of the same protocol receives: features in beta. */
export function forwardedHeaders(
  protocol: Protocol,
  { provider }: Endpoint,
  client: ClientAttributes,
): Record<string, string> {
  const betas = provider.protocol === protocol ? betasOf(protocol, client) : null;
  return betas === null ? {} : { [BETA_HEADERS[protocol]]: betas };
}
