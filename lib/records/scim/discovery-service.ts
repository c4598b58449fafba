import "server-only";
import { ApiError, notFound } from "../../platform/api-error";
import type { ScimContext } from "../../platform/context";
import type { Input, Result } from "../../platform/http/operation";
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

const resourceTypesOf = (context: ScimContext) =>
  RESOURCES.map(({ name, endpoint, description, schema }) => ({
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
    id: name,
    name,
    endpoint,
    description,
    schema,
    schemaExtensions: [],
    meta: meta(context, "ResourceType", `/ResourceTypes/${name}`),
  }));

const schemasOf = (context: ScimContext) =>
  RESOURCES.map(({ name, description, schema: id, attributes }) => ({
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
    id,
    name,
    description,
    attributes,
    meta: meta(context, "Schema", `/Schemas/${id}`),
  }));

function named<T extends { id: string }>(all: readonly T[], id: string): T {
  const found = all.find((one) => one.id === id);
  if (!found) throw notFound();
  return found;
}

export async function resourceTypes(context: ScimContext): Promise<Result<typeof contract.listResourceTypes>> {
  const all = resourceTypesOf(context);
  return toList(all, all.length, 1);
}

export async function resourceType(
  context: ScimContext,
  { params }: Input<typeof contract.getResourceType>,
): Promise<Result<typeof contract.getResourceType>> {
  return named(resourceTypesOf(context), params.id);
}

export async function schemas(context: ScimContext): Promise<Result<typeof contract.listSchemas>> {
  const all = schemasOf(context);
  return toList(all, all.length, 1);
}

export async function schema(
  context: ScimContext,
  { params }: Input<typeof contract.getSchema>,
): Promise<Result<typeof contract.getSchema>> {
  return named(schemasOf(context), params.id);
}

export const me = (): Promise<Result<typeof contract.getMe>> =>
  Promise.reject(new ApiError(501, "A SCIM token belongs to no user, so /Me isn't implemented"));
