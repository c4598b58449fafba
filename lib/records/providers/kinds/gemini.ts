import { joined, type Kind } from "./kind";

/** Google's Gemini API. */
export const gemini: Kind = {
  urlOf: ({ baseUrl }, { path }) => joined(baseUrl, path),
  modelsUrlOf: ({ baseUrl }) => joined(baseUrl, "/models?pageSize=1000"),
  authenticate: ({ apiKey }): Record<string, string> => (apiKey === null ? {} : { "x-goog-api-key": apiKey }),
};
