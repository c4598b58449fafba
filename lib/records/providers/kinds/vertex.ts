import { accessToken } from "./access-token";
import { joined, type Kind, type Site } from "./kind";

/** Returns the part of an address that names where a model runs. */
const placeOf = ({ settings: { project, location } }: Site): string =>
  `/projects/${project ?? ""}/locations/${location ?? ""}`;

/** Google Cloud's Vertex AI. An endpoint's upstream model is one of Google's, or a resource such as `endpoints/123`. */
export const vertex: Kind = {
  urlOf: (site, { path }) =>
    joined(site.baseUrl, `${placeOf(site)}${path.replace(/^\/models\//, "/publishers/google$&")}`),
  modelsUrlOf: () => null,
  authenticate: async ({ named }, _request, surroundings) => ({
    authorization: `Bearer ${await accessToken(named["service_account"] ?? "", surroundings)}`,
  }),
};
