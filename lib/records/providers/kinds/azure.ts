import { joined, type Call, type Kind, type Site } from "./kind";

/** Returns the address of the resource's API: `https://{resource}.openai.azure.com/openai`. */
const resourceOf = ({ baseUrl }: Site): string => `${baseUrl.replace(/\/+(?:openai(?:\/v1)?\/*)?$/, "")}/openai`;

/**
 * Azure OpenAI. An endpoint's upstream model is the name of a deployment. With an API version, the deployment is part
 * of the address, except for Responses. Without one, the v1 API takes it as the model.
 */
export const azure: Kind = {
  urlOf: (site, call) => joined(resourceOf(site), pathOf(site, call)),
  modelsUrlOf: (site) => joined(resourceOf(site), pathOf(site, { path: "/models", model: "" })),
  authenticate: ({ apiKey }): Record<string, string> => (apiKey === null ? {} : { "api-key": apiKey }),
};

function pathOf({ settings: { api_version: version } }: Site, { path, model }: Call): string {
  if (version === undefined) return `/v1${path}`;
  const isOfDeployment = path !== "/responses" && path !== "/models";
  const deployment = isOfDeployment ? `/deployments/${encodeURIComponent(model)}` : "";
  return `${deployment}${path}?api-version=${version}`;
}
