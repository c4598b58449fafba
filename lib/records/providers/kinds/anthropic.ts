import { joined, type Kind } from "./kind";

/** The version of the Messages API. */
const VERSION = "2023-06-01";

/** Anthropic's own API, and those that copy it. */
export const anthropic: Kind = {
  urlOf: ({ baseUrl }, { path }) => joined(baseUrl, path),
  modelsUrlOf: ({ baseUrl }) => joined(baseUrl, "/models?limit=1000"),
  authenticate: ({ apiKey }) => ({ "anthropic-version": VERSION, ...(apiKey !== null && { "x-api-key": apiKey }) }),
};
