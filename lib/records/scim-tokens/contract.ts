import { z } from "zod";
import { Deleted, envelope, IdParams, Instant, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { newName } from "../../platform/name-contract";
import { MOST_SCIM_TOKENS } from "./vocabulary";

export const ScimToken = z
  .object({
    id: Uuid,
    name: z.string(),
    label: z.string().meta({ description: "Beginning and end of the token" }),
    expires_at: Timestamp.nullable(),
    last_used_at: Timestamp.nullable().meta({ description: "Precise to a minute" }),
    created_at: Timestamp,
  })
  .meta({ id: "ScimToken" });
export type ScimToken = z.output<typeof ScimToken>;

export const CreateScimTokenBody = z.strictObject({
  name: newName(100),
  expires_at: Instant.nullable().default(null).meta({ description: "null: doesn't expire" }),
});
export type CreateScimTokenBody = z.input<typeof CreateScimTokenBody>;

const directory = { tag: "Directory", access: "management" } as const;

export const getDirectory = operation({
  ...directory,
  permission: "organization:read",
  id: "getDirectory",
  method: "GET",
  path: "/organization/directory",
  summary: "Get the address for a directory, and what directories have provisioned",
  status: 200,
  result: envelope(
    z.object({
      base_url: z.string().meta({ description: "The SCIM base URL of this installation" }),
      last_request_at: Timestamp.nullable().meta({ description: "Of the tokens that exist; precise to a minute" }),
      members: z.object({ active: z.number().int().min(0), deactivated: z.number().int().min(0) }),
      groups: z.number().int().min(0),
    }),
  ),
});

export const listScimTokens = operation({
  ...directory,
  permission: "organization:read",
  id: "listScimTokens",
  method: "GET",
  path: "/organization/scim-tokens",
  summary: "List the tokens of directories, newest first",
  status: 200,
  result: z.object({ data: z.array(ScimToken).max(MOST_SCIM_TOKENS) }),
});

export const createScimToken = operation({
  ...directory,
  permission: "sign_in:write",
  id: "createScimToken",
  recentSignIn: true,
  method: "POST",
  path: "/organization/scim-tokens",
  summary: "Create a token for a directory; it is shown only once",
  body: CreateScimTokenBody,
  status: 201,
  result: envelope(ScimToken).extend({
    token: z.string().meta({ description: "Sent as the bearer token of SCIM requests; shown only in this response" }),
  }),
  errors: [409],
  idempotent: true,
  example: { body: { name: "Entra ID" } },
});

export const deleteScimToken = operation({
  ...directory,
  permission: "sign_in:write",
  id: "deleteScimToken",
  recentSignIn: true,
  method: "DELETE",
  path: "/organization/scim-tokens/{id}",
  summary: "Delete a token of a directory; members and groups stay as they are",
  params: IdParams,
  status: 200,
  result: Deleted,
});
