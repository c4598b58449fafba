import { joined, type Kind, type Site } from "./kind";

/** The version of the Messages API; a header of the provider replaces it. */
const VERSION = "2023-06-01";

/** Returns the base of the API, whose version SDKs leave to the path: `https://api.anthropic.com` is `…/v1`. */
const baseOf = ({ baseUrl }: Site): string => (new URL(baseUrl).pathname === "/" ? joined(baseUrl, "/v1") : baseUrl);

/** Anthropic's own API, and those that copy it. */
export const anthropic: Kind = {
  urlOf: (site, { path }) => joined(baseOf(site), path),
  modelsUrlOf: (site) => joined(baseOf(site), "/models?limit=1000"),
  authenticate: ({ apiKey }, { headers }) => ({
    "anthropic-version": headers["anthropic-version"] ?? VERSION,
    ...(apiKey !== null && { "x-api-key": apiKey }),
  }),
};
