import { asObject, asObjects, type JsonObject } from "../../../platform/json-values";
import { accessToken } from "./access-token";
import { joined, type Call, type Kind, type Site } from "./kind";

/** Returns the part of an address that states where a model runs. */
const placeOf = ({ settings: { project, location } }: Site): string =>
  `/projects/${project ?? ""}/locations/${location ?? ""}`;

/** The version of the Messages API as Vertex AI names it. */
const MESSAGES_VERSION = "vertex-2023-10-16";

/** Returns the path of an Anthropic model, whose requests pass unchanged except for model and version. */
const pathOfClaude = ({ model, isStream }: Call): string =>
  `/publishers/anthropic/models/${encodeURIComponent(model).replace("%40", "@")}:${isStream ? "streamRawPredict" : "rawPredict"}`;

const EMBED = ":batchEmbedContents";

const pathOfGoogle = ({ path }: Call): string =>
  path.replace(/^\/models\//, "/publishers/google$&").replace(EMBED, ":predict");

/** Converts a request for embeddings to a request for predictions with shared parameters. */
function toPrediction(requests: readonly JsonObject[]): JsonObject {
  const dimensions = requests[0]?.["outputDimensionality"];
  return {
    instances: requests.map(({ content, taskType }) => ({
      content: asObjects(asObject(content)?.["parts"])[0]?.["text"],
      ...(taskType !== undefined && { task_type: taskType }),
    })),
    ...(dimensions !== undefined && { parameters: { outputDimensionality: dimensions } }),
  };
}

/** Google Cloud's Vertex AI. An endpoint's upstream model is a publisher's, or a resource such as `endpoints/123`. */
export const vertex: Kind = {
  urlOf: (site, call) =>
    joined(site.baseUrl, placeOf(site) + (call.path === "/messages" ? pathOfClaude(call) : pathOfGoogle(call))),
  bodyOf: ({ path }, body) => {
    if (path.endsWith(EMBED)) return toPrediction(asObjects(body["requests"]));
    if (path !== "/messages") return body;
    const { model: _, ...rest } = body;
    return { anthropic_version: MESSAGES_VERSION, ...rest };
  },
  modelsUrlOf: () => null,
  authenticate: async ({ named }, _request, surroundings) => ({
    authorization: `Bearer ${await accessToken(named["service_account"] ?? "", surroundings)}`,
  }),
};
