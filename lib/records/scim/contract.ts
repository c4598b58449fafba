import { z } from "zod";
import { operation, Timestamp, Uuid } from "../../platform/http/operation";
import {
  DEFAULT_COUNT,
  GROUP_SCHEMA,
  MAX_COUNT,
  MAX_FILTER_LENGTH,
  MAX_GROUP_MEMBERS,
  MAX_OPERATIONS,
  MAX_PATH_LENGTH,
  PATCH_SCHEMA,
  USER_SCHEMA,
} from "./vocabulary";

const Schemas = z.array(z.string());

const Meta = z.object({
  resourceType: z.string(),
  created: Timestamp.optional(),
  lastModified: Timestamp.optional(),
  location: z.string().optional(),
  version: z.string().optional().meta({ description: "The ETag" }),
});

/** A user or group; `$ref`, its address, isn't declared, because tools take it for a reference of the schema. */
const Reference = z.looseObject({
  value: z.string().optional(),
  display: z.string().optional(),
  type: z.string().optional(),
});

/** A member as SCIM user. Responses with `attributes` or `excludedAttributes` lack fields. */
export const ScimUser = z
  .object({
    schemas: Schemas,
    id: z.string(),
    externalId: z.string().optional(),
    userName: z.string().optional().meta({ description: "The email address" }),
    name: z
      .object({
        formatted: z.string().optional(),
        givenName: z.string().optional(),
        familyName: z.string().optional(),
      })
      .optional(),
    displayName: z.string().optional(),
    emails: z
      .array(z.object({ value: z.string().optional(), type: z.string().optional(), primary: z.boolean().optional() }))
      .optional(),
    active: z.boolean().optional(),
    groups: z.array(Reference).optional().meta({ description: "Groups that a directory provisions; read-only" }),
    meta: Meta.optional(),
  })
  .meta({ id: "ScimUser" });
export type ScimUser = z.output<typeof ScimUser>;

export const ScimGroup = z
  .object({
    schemas: Schemas,
    id: z.string(),
    externalId: z.string().optional(),
    displayName: z.string().optional(),
    members: z.array(Reference).optional(),
    meta: Meta.optional(),
  })
  .meta({ id: "ScimGroup" });
export type ScimGroup = z.output<typeof ScimGroup>;

/** A page of resources. */
const listOf = <T extends z.ZodType>(resource: T) =>
  z.object({
    schemas: Schemas,
    totalResults: z.number().int().min(0),
    startIndex: z.number().int().min(1),
    itemsPerPage: z.number().int().min(0),
    Resources: z.array(resource),
  });

const attributes = z.string().max(MAX_FILTER_LENGTH).optional();
const Projection = z.object({
  attributes: attributes.meta({ description: "Attributes to return, separated by commas" }),
  excludedAttributes: attributes.meta({ description: "Attributes not to return, such as `members`" }),
});
const wholeNumber = z.coerce.number<string>().int().min(-1_000_000_000).max(1_000_000_000);

const ListQuery = Projection.extend({
  filter: z.string().optional().meta({ description: 'For example `userName eq "grace@example.com"`' }),
  startIndex: wholeNumber.default(1).meta({ description: "Place of the first resource, from 1" }),
  count: wholeNumber
    .default(DEFAULT_COUNT)
    .meta({ description: `Resources of the page; of more than ${MAX_COUNT}, ${MAX_COUNT} are returned` }),
  sortBy: attributes.meta({ description: "Ignored: the oldest come first" }),
  sortOrder: z.string().max(20).optional().meta({ description: "Ignored" }),
});
export type ListQuery = z.output<typeof ListQuery>;

const UserBody = z.looseObject({
  schemas: Schemas.optional(),
  userName: z.string().optional().meta({ description: "Required: the email address" }),
  externalId: z.string().nullish(),
  name: z.looseObject({ givenName: z.string().nullish(), familyName: z.string().nullish() }).nullish(),
  displayName: z.string().nullish().meta({ description: "The name of a member without other names" }),
  emails: z.array(z.looseObject({})).nullish().meta({ description: "Accepted; userName is the address" }),
  active: z.union([z.boolean(), z.string()]).nullish().meta({ description: "false: deactivated" }),
});

const GroupBody = z.looseObject({
  schemas: Schemas.optional(),
  displayName: z.string().optional().meta({ description: "Required" }),
  externalId: z.string().nullish(),
  members: z
    .array(z.looseObject({ value: z.string() }))
    .max(MAX_GROUP_MEMBERS)
    .nullish(),
});

const PatchBody = z.looseObject({
  schemas: Schemas.optional(),
  Operations: z
    .array(
      z.looseObject({
        op: z.string().max(20).meta({ description: "add, remove or replace, in any case" }),
        path: z.string().max(MAX_PATH_LENGTH).nullish(),
        value: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(MAX_OPERATIONS),
});

const UserParams = z.object({ id: z.string().regex(/^user_[0-9A-Za-z]{1,64}$/) });
const GroupParams = z.object({ id: Uuid });
const NameParams = z.object({ id: z.string().max(200) });
const NoBody = z.undefined();
/** Filters, pages and sorting are ignored in requests of what the service is (RFC 7644, section 4). */
const IgnoredQuery = z.looseObject({});

const scim = {
  tag: "SCIM",
  access: "scim",
  errorFormat: "scim",
  mediaType: "application/scim+json",
} as const;

export const getServiceProviderConfig = operation({
  ...scim,
  id: "getScimServiceProviderConfig",
  method: "GET",
  path: "/scim/v2/ServiceProviderConfig",
  summary: "Get the parts of SCIM that are supported",
  query: IgnoredQuery,
  status: 200,
  result: z.looseObject({ schemas: Schemas }),
});

export const listResourceTypes = operation({
  ...scim,
  id: "listScimResourceTypes",
  method: "GET",
  path: "/scim/v2/ResourceTypes",
  summary: "List the types of resources",
  query: IgnoredQuery,
  status: 200,
  result: listOf(z.looseObject({ schemas: Schemas })),
});

export const getResourceType = operation({
  ...scim,
  id: "getScimResourceType",
  method: "GET",
  path: "/scim/v2/ResourceTypes/{id}",
  summary: "Get a type of resources, User or Group",
  params: NameParams,
  query: IgnoredQuery,
  status: 200,
  result: z.looseObject({ schemas: Schemas }),
});

export const listSchemas = operation({
  ...scim,
  id: "listScimSchemas",
  method: "GET",
  path: "/scim/v2/Schemas",
  summary: "List the attributes of users and groups",
  query: IgnoredQuery,
  status: 200,
  result: listOf(z.looseObject({ id: z.string() })),
});

export const getSchema = operation({
  ...scim,
  id: "getScimSchema",
  method: "GET",
  path: "/scim/v2/Schemas/{id}",
  summary: "Get the attributes of a type of resources",
  params: NameParams,
  query: IgnoredQuery,
  status: 200,
  result: z.looseObject({ id: z.string() }),
});

export const getMe = operation({
  ...scim,
  id: "getScimMe",
  method: "GET",
  path: "/scim/v2/Me",
  summary: "Not implemented: a token belongs to no user",
  status: 200,
  result: z.looseObject({}),
  errors: [501],
});

export const listUsers = operation({
  ...scim,
  id: "listScimUsers",
  method: "GET",
  path: "/scim/v2/Users",
  summary: "List the members of the organization, oldest first",
  query: ListQuery,
  status: 200,
  result: listOf(ScimUser),
});

export const createUser = operation({
  ...scim,
  id: "createScimUser",
  method: "POST",
  path: "/scim/v2/Users",
  summary: "Add a member without a password",
  query: Projection,
  body: UserBody,
  bodySize: "medium",
  status: 201,
  result: ScimUser,
  errors: [409],
  example: {
    body: {
      schemas: [USER_SCHEMA],
      userName: "grace@example.com",
      externalId: "00u1",
      name: { givenName: "Grace", familyName: "Hopper" },
      active: true,
    },
  },
});

export const getUser = operation({
  ...scim,
  id: "getScimUser",
  method: "GET",
  path: "/scim/v2/Users/{id}",
  summary: "Get a member",
  params: UserParams,
  query: Projection,
  status: 200,
  result: ScimUser,
});

export const replaceUser = operation({
  ...scim,
  id: "replaceScimUser",
  method: "PUT",
  path: "/scim/v2/Users/{id}",
  summary: "Change a member; attributes that are missing stay",
  params: UserParams,
  query: Projection,
  body: UserBody,
  bodySize: "medium",
  status: 200,
  result: ScimUser,
  errors: [409],
  ifMatch: true,
  example: { body: { schemas: [USER_SCHEMA], userName: "grace@example.com", active: false } },
});

export const patchUser = operation({
  ...scim,
  id: "patchScimUser",
  method: "PATCH",
  path: "/scim/v2/Users/{id}",
  summary: "Change attributes of a member; `active` false deactivates them",
  params: UserParams,
  query: Projection,
  body: PatchBody,
  bodySize: "medium",
  status: 200,
  result: ScimUser,
  errors: [409],
  ifMatch: true,
  example: { body: { schemas: [PATCH_SCHEMA], Operations: [{ op: "replace", path: "active", value: false }] } },
});

export const deleteUser = operation({
  ...scim,
  id: "deleteScimUser",
  method: "DELETE",
  path: "/scim/v2/Users/{id}",
  summary: "Remove a member: ends their sessions and assignments and disables their keys",
  params: UserParams,
  status: 204,
  result: NoBody,
  errors: [409],
  ifMatch: true,
});

export const listGroups = operation({
  ...scim,
  id: "listScimGroups",
  method: "GET",
  path: "/scim/v2/Groups",
  summary: "List the groups that directories provision, oldest first",
  note: "A page with very many members has fewer groups than `count`.",
  query: ListQuery,
  status: 200,
  result: listOf(ScimGroup),
});

export const createGroup = operation({
  ...scim,
  id: "createScimGroup",
  method: "POST",
  path: "/scim/v2/Groups",
  summary: "Create a group; an admin gives it roles in the console",
  query: Projection,
  body: GroupBody,
  bodySize: "large",
  status: 201,
  result: ScimGroup,
  errors: [409],
  example: { body: { schemas: [GROUP_SCHEMA], displayName: "Platform team", members: [] } },
});

export const getGroup = operation({
  ...scim,
  id: "getScimGroup",
  method: "GET",
  path: "/scim/v2/Groups/{id}",
  summary: "Get a group",
  params: GroupParams,
  query: Projection,
  status: 200,
  result: ScimGroup,
});

export const replaceGroup = operation({
  ...scim,
  id: "replaceScimGroup",
  method: "PUT",
  path: "/scim/v2/Groups/{id}",
  summary: "Change a group; attributes that are missing stay",
  params: GroupParams,
  query: Projection,
  body: GroupBody,
  bodySize: "large",
  status: 200,
  result: ScimGroup,
  errors: [409],
  ifMatch: true,
  example: { body: { schemas: [GROUP_SCHEMA], displayName: "Platform team", members: [] } },
});

export const patchGroup = operation({
  ...scim,
  id: "patchScimGroup",
  method: "PATCH",
  path: "/scim/v2/Groups/{id}",
  summary: "Change attributes of a group, or add and remove members",
  note: "The query is ignored: the response has no body.",
  params: GroupParams,
  query: Projection,
  body: PatchBody,
  bodySize: "large",
  status: 204,
  result: NoBody,
  errors: [409],
  ifMatch: true,
  example: {
    body: {
      schemas: [PATCH_SCHEMA],
      Operations: [{ op: "add", path: "members", value: [{ value: "user_2hB9dKq4VxT7nLmZ0wRfYcUe" }] }],
    },
  },
});

export const deleteGroup = operation({
  ...scim,
  id: "deleteScimGroup",
  method: "DELETE",
  path: "/scim/v2/Groups/{id}",
  summary: "Delete a group with the roles it gives; its members stay",
  params: GroupParams,
  status: 204,
  result: NoBody,
  ifMatch: true,
});
