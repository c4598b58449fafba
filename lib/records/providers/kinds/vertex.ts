import { accessToken } from "./access-token";
import { joined, type Call, type Kind, type Site } from "./kind";

/** Returns the part of an address that names where a model runs. */
const placeOf = ({ settings: { project, location } }: Site): string =>
  `/projects/${project ?? ""}/locations/${location ?? ""}`;

/** The version of the Messages API as Vertex AI names it. */
const MESSAGES_VERSION = "vertex-2023-10-16";

/** Returns the path of a model by Anthropic, whose requests pass unchanged but for model and version. */
const pathOfClaude = ({ model, isStream }: Call): string =>
  `/publishers/anthropic/models/${encodeURIComponent(model).replace("%40", "@")}:${isStream ? "streamRawPredict" : "rawPredict"}`;

/** Google Cloud's Vertex AI. An endpoint's upstream model is a publisher's, or a resource such as `endpoints/123`. */
export const vertex: Kind = {
  urlOf: (site, call) =>
    joined(
      site.baseUrl,
      placeOf(site) +
        (call.path === "/messages" ? pathOfClaude(call) : call.path.replace(/^\/models\//, "/publishers/google$&")),
    ),
  bodyOf: ({ path }, body) => {
    if (path !== "/messages") return body;
    const { model: _, ...rest } = body;
    return { anthropic_version: MESSAGES_VERSION, ...rest };
  },
  modelsUrlOf: () => null,
  authenticate: async ({ named }, _request, surroundings) => ({
    authorization: `Bearer ${await accessToken(named["service_account"] ?? "", surroundings)}`,
  }),
};
