import { joined, type Kind } from "./kind";

/** Providers with an OpenAI-compatible API. */
export const openai: Kind = {
  urlOf: ({ baseUrl }, { path }) => joined(baseUrl, path),
  modelsUrlOf: ({ baseUrl }) => joined(baseUrl, "/models"),
  authenticate: ({ apiKey }): Record<string, string> => (apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
};
