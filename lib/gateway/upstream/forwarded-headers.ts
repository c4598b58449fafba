import type { Endpoint, Protocol } from "../../engine/endpoint";
import type { ClientAttributes } from "../../platform/context";

/** Returns the caller's headers that an upstream receives: features in beta, if both speak Messages. */
export const forwardedHeaders = (
  protocol: Protocol,
  { provider }: Endpoint,
  { anthropicBeta }: ClientAttributes,
): Record<string, string> =>
  protocol === "messages" && provider.protocol === "messages" && anthropicBeta
    ? { "anthropic-beta": anthropicBeta }
    : {};
