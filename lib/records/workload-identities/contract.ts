import { z } from "zod";
import { Deleted, envelope, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { newName } from "../../platform/name-contract";
import { KeyHash } from "../keys/contract";
import { LIFETIME_SECONDS } from "./vocabulary";

const Issuer = z
  .url({ protocol: /^https?$/, error: "must be the URL in the tokens' `iss`" })
  .max(500)
  .refine((url) => URL.parse(url)?.search === "" && URL.parse(url)?.hash === "", "must not have a query or fragment");

const Claims = z
  .record(z.string().min(1).max(100), z.string().min(1).max(500))
  .refine((claims) => Object.keys(claims).length <= 20, "must have at most 20 claims")
  .refine(
    ({ sub = "" }) => /[^*]/.test(sub),
    "must have `sub` with more than wildcards, because anybody can get a token of a public issuer",
  )
  .meta({ description: "Values that the token's claims must have; `*` stands for any text" });

const Jwks = z
  .object({
    keys: z
      .array(z.looseObject({ kty: z.enum(["RSA", "EC", "OKP"]) }))
      .min(1)
      .max(20),
  })
  .refine(({ keys }) => keys.every((key) => !("d" in key)), "must contain public keys only")
  .nullable()
  .meta({ description: "Public keys of an issuer that Signalbox can't reach; null: discovered at the issuer" });

const Fields = z.object({
  name: newName(100),
  issuer: Issuer,
  audience: z.string().trim().min(1).max(500).meta({ description: "The value that the token's `aud` must contain" }),
  claims: Claims,
  jwks: Jwks,
  lifetime_seconds: z.number().int().min(LIFETIME_SECONDS.min).max(LIFETIME_SECONDS.max).meta({
    description: "How long an exchanged key is valid",
    default: LIFETIME_SECONDS.default,
  }),
});

export const WorkloadIdentity = Fields.extend({
  id: Uuid,
  key_hash: KeyHash,
  name: z.string(),
  last_used_at: Timestamp.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp.nullable(),
}).meta({ id: "WorkloadIdentity" });
export type WorkloadIdentity = z.output<typeof WorkloadIdentity>;

export const CreateWorkloadIdentityBody = z.strictObject({
  ...Fields.shape,
  jwks: Jwks.default(null),
  lifetime_seconds: Fields.shape.lifetime_seconds.default(LIFETIME_SECONDS.default),
});
export type CreateWorkloadIdentityBody = z.input<typeof CreateWorkloadIdentityBody>;
export const UpdateWorkloadIdentityBody = z.strictObject(Fields.partial().shape);

const KeyParams = z.object({ hash: KeyHash });
const Params = KeyParams.extend({ id: Uuid });
const management = { tag: "Workload identities", access: "management" } as const;

export const listWorkloadIdentities = operation({
  ...management,
  id: "listWorkloadIdentities",
  permission: "keys:read",
  byWorkspace: true,
  method: "GET",
  path: "/keys/{hash}/workload-identities",
  summary: "List the workload identities of an inference key",
  params: KeyParams,
  status: 200,
  result: z.object({ data: z.array(WorkloadIdentity) }),
});

export const createWorkloadIdentity = operation({
  ...management,
  id: "createWorkloadIdentity",
  permission: "keys:write",
  byWorkspace: true,
  recentSignIn: true,
  method: "POST",
  path: "/keys/{hash}/workload-identities",
  summary: "Let tokens of an issuer be exchanged for an inference key that lives for minutes",
  params: KeyParams,
  body: CreateWorkloadIdentityBody,
  bodySize: "medium",
  inspected: true,
  status: 201,
  result: envelope(WorkloadIdentity),
  errors: [409],
  idempotent: true,
  example: {
    body: {
      name: "Deployments of main",
      issuer: "https://token.actions.githubusercontent.com",
      audience: "https://signalbox.example",
      claims: { sub: "repo:acme/app:ref:refs/heads/main" },
    },
  },
});

export const updateWorkloadIdentity = operation({
  ...management,
  id: "updateWorkloadIdentity",
  permission: "keys:write",
  byWorkspace: true,
  recentSignIn: true,
  method: "PATCH",
  path: "/keys/{hash}/workload-identities/{id}",
  summary: "Update the given fields of a workload identity",
  params: Params,
  body: UpdateWorkloadIdentityBody,
  bodySize: "medium",
  inspected: true,
  status: 200,
  result: envelope(WorkloadIdentity),
  example: { body: { lifetime_seconds: 600 } },
});

export const deleteWorkloadIdentity = operation({
  ...management,
  id: "deleteWorkloadIdentity",
  permission: "keys:write",
  byWorkspace: true,
  recentSignIn: true,
  method: "DELETE",
  path: "/keys/{hash}/workload-identities/{id}",
  summary: "Delete a workload identity; keys that it exchanged end at once",
  params: Params,
  status: 200,
  result: Deleted,
});
