import "server-only";
import { ApiError } from "../../platform/api-error";
import type { ScimContext } from "../../platform/context";
import type { Result } from "../../platform/http/operation";
import type * as contract from "./contract";
import { baseUrl, toList } from "./rows";
import { RESOURCES } from "./schemas";
import { MAX_COUNT } from "./vocabulary";

const meta = (context: ScimContext, resourceType: string, path: string) => ({
  resourceType,
  location: `${baseUrl(context)}${path}`,
});

export const serviceProviderConfig = (
  context: ScimContext,
): Promise<Result<typeof contract.getServiceProviderConfig>> =>
  Promise.resolve({
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_COUNT },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: "oauthbearertoken",
        name: "SCIM token",
        description: "A token of the organization's settings, as bearer token",
        primary: true,
      },
    ],
    meta: meta(context, "ServiceProviderConfig", "/ServiceProviderConfig"),
  });

export function resourceTypes(context: ScimContext): Promise<Result<typeof contract.listResourceTypes>> {
  const types = RESOURCES.map(({ name, endpoint, description, schema }) => ({
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
    id: name,
    name,
    endpoint,
    description,
    schema,
    schemaExtensions: [],
    meta: meta(context, "ResourceType", `/ResourceTypes/${name}`),
  }));
  return Promise.resolve(toList(types, types.length, 1));
}

export function schemas(context: ScimContext): Promise<Result<typeof contract.listSchemas>> {
  const all = RESOURCES.map(({ name, description, schema, attributes }) => ({
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
    id: schema,
    name,
    description,
    attributes,
    meta: meta(context, "Schema", `/Schemas/${schema}`),
  }));
  return Promise.resolve(toList(all, all.length, 1));
}

export const me = (): Promise<Result<typeof contract.getMe>> =>
  Promise.reject(new ApiError(501, "A SCIM token belongs to no user, so /Me isn't implemented"));
