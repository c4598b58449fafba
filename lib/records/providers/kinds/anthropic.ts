import { joined, type Kind, type Site } from "./kind";

/** Version of the Messages API; a header of the provider replaces it. */
const VERSION = "2023-06-01";

/** Returns the base of the API. SDKs leave the version to the path: `https://api.anthropic.com` becomes `…/v1`. */
const baseOf = ({ baseUrl }: Site): string => (new URL(baseUrl).pathname === "/" ? joined(baseUrl, "/v1") : baseUrl);

/** Anthropic's API, and compatible APIs. */
export const anthropic: Kind = {
  urlOf: (site, { path }) => joined(baseOf(site), path),
  modelsUrlOf: (site) => joined(baseOf(site), "/models?limit=1000"),
  authenticate: ({ apiKey }, { headers }) => ({
    "anthropic-version": headers["anthropic-version"] ?? VERSION,
    ...(apiKey !== null && { "x-api-key": apiKey }),
  }),
};
