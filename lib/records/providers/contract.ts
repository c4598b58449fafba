import { z } from "zod";
import { Deleted, envelope, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { listQuery, page } from "../../platform/http/pagination";
import { ProviderCredentials, ProviderSettings } from "./kinds-contract";
import { PROVIDER_KINDS } from "./vocabulary";
import { UPSTREAM_PROTOCOLS } from "../../engine/protocols/vocabulary";
import { newName } from "../../platform/name-contract";

export const OWNERSHIPS = ["platform", "byok"] as const;

/** Headers set by the connection, the request or the API key. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

export const ProviderSlug = z
  .string()
  .max(64)
  .regex(
    /^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/,
    "must consist of lowercase letters and digits, separated by single hyphens, underscores or dots",
  );

const isPlainUrl = (text: string) => {
  const url = URL.parse(text);
  return url !== null && !url.username && !url.password && !/[?#]/.test(text);
};

/** Operation paths that are appended to a base URL, but that users often copy with it. */
const OPERATION = /\/(?:chat\/completions|completions|responses|messages|embeddings)\/*$/i;

/** An upstream's URL. Paths such as `/chat/completions` are appended. */
export const BaseUrl = z
  .url({ protocol: /^https?$/, abort: true })
  .max(2000)
  .refine(isPlainUrl, "must not contain credentials, query or fragment")
  .refine((text) => !OPERATION.test(text), "must end before the path of an operation, such as /chat/completions")
  .meta({ description: "Base URL of the API, such as https://api.openai.com/v1" });

const HeaderName = z
  .string()
  .max(100)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "is not a valid header name")
  .refine((name) => !RESERVED_HEADERS.has(name.toLowerCase()), "is set by Signalbox");

const Headers = z
  .record(
    HeaderName,
    z
      .string()
      .max(4000)
      .regex(/^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/, "must be visible ASCII characters"),
  )
  .refine((headers) => Object.keys(headers).length <= 32, "must have at most 32 entries")
  .refine(
    (headers) => new Set(Object.keys(headers).map((name) => name.toLowerCase())).size === Object.keys(headers).length,
    "must not contain duplicate headers",
  );

const ApiKey = z
  .string()
  .max(4000)
  .regex(/^[\x21-\x7e]+$/, "must be visible ASCII characters");

/** The fields that an admin sets: docs/semantics.md#providers-and-models. */
const ProviderFields = z.object({
  name: newName(100),
  base_url: BaseUrl,
  kind: z
    .enum(PROVIDER_KINDS)
    .meta({ description: "Decides addresses and authentication; openai: any OpenAI-compatible API" }),
  protocol: z
    .enum(UPSTREAM_PROTOCOLS)
    .meta({ description: "The API that the upstream supports; defaults to the first one of its kind" }),
  settings: ProviderSettings.nullable().meta({ description: "What the kind needs besides a base URL" }),
  zdr: z.boolean().meta({ description: "Zero data retention; endpoints can override this" }),
  trains: z.boolean().meta({ description: "Whether the provider trains on requests" }),
  ownership: z.enum(OWNERSHIPS).meta({ description: "byok: usage is billed to your own provider account" }),
  api_key: ApiKey.nullable().meta({
    description: "Sent as the kind requires: for openai as a bearer token. Never returned",
    writeOnly: true,
  }),
  credentials: ProviderCredentials.nullable().meta({
    description: "Secrets of kinds that take no API key; replaced as a whole and never returned",
    writeOnly: true,
  }),
  headers: Headers.nullable().meta({
    description: "Sent with every request; values are never returned",
    writeOnly: true,
  }),
});

export const UpdateProviderBody = z.strictObject(ProviderFields.partial().shape);
export type UpdateProviderBody = z.output<typeof UpdateProviderBody>;

export const CreateProviderBody = UpdateProviderBody.required({ name: true, base_url: true }).extend({
  slug: ProviderSlug,
});
export type CreateProviderBody = z.output<typeof CreateProviderBody>;

export const ConnectionTest = z
  .object({
    ok: z.boolean(),
    status: z.number().int().nullable().meta({ description: "The upstream's HTTP status, if any" }),
    latency_ms: z.number().int().min(0),
    models_count: z.number().int().min(0).nullable(),
    message: z.string(),
    tested_at: Timestamp,
  })
  .meta({ id: "ConnectionTest" });
export type ConnectionTest = z.output<typeof ConnectionTest>;

export const Provider = z
  .object({
    slug: z.string(),
    audit_id: Uuid.meta({ description: "`target_id` of its events in the audit log" }),
    ...ProviderFields.omit({ api_key: true, credentials: true, headers: true }).shape,
    name: z.string(),
    base_url: z.string().nullable().meta({ description: "null when built in" }),
    has_api_key: z.boolean(),
    credential_names: z.array(z.string()),
    header_names: z.array(z.string()),
    models_count: z.number().int().min(0).meta({ description: "Number of models with an endpoint of this provider" }),
    last_test: ConnectionTest.nullable().meta({
      description: "The last test of these settings; null if they weren't tested since they changed",
    }),
    privacy_policy_url: z.null().meta({ description: "Always null; present for compatible clients" }),
    created_at: Timestamp,
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: "Provider" });
export type Provider = z.output<typeof Provider>;

const SlugParams = z.object({ slug: ProviderSlug });
const management = { tag: "Providers", access: "management" } as const;

export const listProviders = operation({
  ...management,
  id: "listProviders",
  permission: "providers:read",
  method: "GET",
  path: "/providers",
  summary: "List providers, by default newest first",
  query: listQuery(["name", "slug", "created_at"], "Search text in name, slug and base URL"),
  status: 200,
  result: page(Provider),
});

export const createProvider = operation({
  ...management,
  id: "createProvider",
  permission: "providers:write",
  recentSignIn: true,
  method: "POST",
  path: "/providers",
  summary: "Add a provider",
  body: CreateProviderBody,
  bodySize: "medium",
  inspected: true,
  status: 201,
  result: envelope(Provider),
  idempotent: true,
  example: {
    body: { slug: "openai", name: "OpenAI", base_url: "https://api.openai.com/v1", api_key: "sk-example", zdr: false },
  },
});

export const getProvider = operation({
  ...management,
  id: "getProvider",
  permission: "providers:read",
  method: "GET",
  path: "/providers/{slug}",
  summary: "Get a provider",
  params: SlugParams,
  status: 200,
  result: envelope(Provider),
});

export const updateProvider = operation({
  ...management,
  id: "updateProvider",
  permission: "providers:write",
  recentSignIn: true,
  method: "PATCH",
  path: "/providers/{slug}",
  summary: "Update the given fields; headers are replaced as a whole, and null clears a field",
  params: SlugParams,
  body: UpdateProviderBody,
  bodySize: "medium",
  inspected: true,
  status: 200,
  result: envelope(Provider),
  errors: [409],
  example: { body: { zdr: true, api_key: "sk-another" } },
});

export const deleteProvider = operation({
  ...management,
  id: "deleteProvider",
  permission: "providers:write",
  recentSignIn: true,
  method: "DELETE",
  path: "/providers/{slug}",
  summary: "Delete a provider and its endpoints; models are kept",
  params: SlugParams,
  status: 200,
  result: Deleted,
  errors: [409],
});

export const testProvider = operation({
  ...management,
  id: "testProvider",
  permission: "providers:write",
  method: "POST",
  path: "/providers/{slug}/test",
  summary: "Test a provider's connection by listing its models; upstream errors are part of the result",
  params: SlugParams,
  status: 200,
  result: envelope(ConnectionTest),
});

export const TestConnectionBody = z.strictObject(
  ProviderFields.pick({
    base_url: true,
    kind: true,
    protocol: true,
    settings: true,
    api_key: true,
    credentials: true,
    headers: true,
  })
    .partial()
    .required({ base_url: true }).shape,
);
export type TestConnectionBody = z.output<typeof TestConnectionBody>;

export const testNewProvider = operation({
  ...management,
  id: "testNewProvider",
  permission: "providers:write",
  recentSignIn: true,
  method: "POST",
  path: "/connection-tests",
  summary: "Test the connection of a provider that isn't added yet, by listing its models; nothing is stored",
  body: TestConnectionBody,
  bodySize: "medium",
  inspected: true,
  status: 200,
  result: envelope(ConnectionTest),
  example: { body: { base_url: "https://api.openai.com/v1", api_key: "sk-example" } },
});

const ProviderHealth = z
  .object({
    provider: z.string(),
    endpoints_asked: z
      .number()
      .int()
      .min(1)
      .meta({ description: "Number of endpoints called since the process started" }),
    resting: z
      .array(z.string())
      .meta({ description: "Models whose endpoint is temporarily skipped after repeated failures" }),
  })
  .meta({ id: "ProviderHealth" });
export type ProviderHealth = z.output<typeof ProviderHealth>;

export const listProviderHealth = operation({
  ...management,
  id: "listProviderHealth",
  permission: "providers:read",
  method: "GET",
  path: "/health/providers",
  summary: "Get the health of providers as measured by one process; providers that it hasn't called are omitted",
  status: 200,
  result: z.object({ data: z.array(ProviderHealth) }),
});
