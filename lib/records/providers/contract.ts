import { z } from "zod";
import { PROTOCOLS } from "../generations/vocabulary";
import { Deleted, envelope, operation, Timestamp } from "../../platform/http/operation";
import { listQuery, page } from "../../platform/http/pagination";

export const OWNERSHIPS = ["platform", "byok"] as const;

/** Headers that the connection, the request itself or the API key decides. */
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
    "must be lower-case letters and digits, in parts joined by single hyphens, underscores or dots",
  );

const isPlainUrl = (text: string) => {
  const url = URL.parse(text);
  return url !== null && !url.username && !url.password && !/[?#]/.test(text);
};

/** Where an upstream lives; the operations' own paths, such as `/chat/completions`, are put behind it. */
export const BaseUrl = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL", abort: true })
  .max(2000)
  .refine(isPlainUrl, "must have no credentials, query or fragment")
  .meta({ description: "Of an OpenAI-compatible API: https://api.openai.com/v1" });

const HeaderName = z
  .string()
  .max(100)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "is no header name")
  .refine((name) => !RESERVED_HEADERS.has(name.toLowerCase()), "is set by Signalbox itself");

const Headers = z
  .record(
    HeaderName,
    z
      .string()
      .max(4000)
      .regex(/^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/, "must be visible ASCII characters"),
  )
  .refine((headers) => Object.keys(headers).length <= 32, "has more than 32 entries")
  .refine(
    (headers) => new Set(Object.keys(headers).map((name) => name.toLowerCase())).size === Object.keys(headers).length,
    "names a header twice",
  );

const ApiKey = z
  .string()
  .max(4000)
  .regex(/^[\x21-\x7e]+$/, "must be visible ASCII characters");

/** The fields that an admin sets: docs/semantics.md#providers-and-models. */
const ProviderFields = z.object({
  name: z.string().trim().min(1).max(100),
  base_url: BaseUrl,
  protocol: z.enum(PROTOCOLS).meta({ description: "What the upstream speaks" }),
  zdr: z.boolean().meta({ description: "Keeps no data; an endpoint may say otherwise" }),
  trains: z.boolean().meta({ description: "Trains on what it is sent" }),
  ownership: z.enum(OWNERSHIPS).meta({ description: "byok: calls are billed to the customer's own account" }),
  api_key: ApiKey.nullable().meta({ description: "Sent as bearer token; never returned", writeOnly: true }),
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

export const Provider = z
  .object({
    slug: z.string(),
    ...ProviderFields.omit({ api_key: true, headers: true }).shape,
    base_url: z.string().nullable().meta({ description: "null: built in" }),
    has_api_key: z.boolean(),
    header_names: z.array(z.string()),
    models_count: z.number().int().min(0).meta({ description: "Models that it can be asked for" }),
    privacy_policy_url: z.null().meta({ description: "Always null: for clients that expect it" }),
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
  method: "GET",
  path: "/providers",
  summary: "List providers, newest first unless sorted",
  query: listQuery(["name", "slug", "created_at"], "Part of a name, slug or base URL"),
  status: 200,
  result: page(Provider),
});

export const createProvider = operation({
  ...management,
  id: "createProvider",
  method: "POST",
  path: "/providers",
  summary: "Add an upstream",
  body: CreateProviderBody,
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
  method: "PATCH",
  path: "/providers/{slug}",
  summary: "Change the fields sent; headers are replaced whole, null clears",
  params: SlugParams,
  body: UpdateProviderBody,
  inspected: true,
  status: 200,
  result: envelope(Provider),
  errors: [409],
  example: { body: { zdr: true, api_key: "sk-another" } },
});

export const deleteProvider = operation({
  ...management,
  id: "deleteProvider",
  method: "DELETE",
  path: "/providers/{slug}",
  summary: "Delete a provider and the endpoints that lead to it; models stay",
  params: SlugParams,
  status: 200,
  result: Deleted,
  errors: [409],
});

const ConnectionTest = z
  .object({
    ok: z.boolean(),
    status: z.number().int().nullable().meta({ description: "The upstream's HTTP status; null when it gave none" }),
    latency_ms: z.number().int().min(0),
    models_count: z.number().int().min(0).nullable(),
    message: z.string(),
  })
  .meta({ id: "ConnectionTest" });
export type ConnectionTest = z.output<typeof ConnectionTest>;

export const testProvider = operation({
  ...management,
  id: "testProvider",
  method: "POST",
  path: "/providers/{slug}/test",
  summary: "Ask the upstream for its models; what goes wrong there is the answer",
  params: SlugParams,
  status: 200,
  result: envelope(ConnectionTest),
});

const ProviderHealth = z
  .object({
    provider: z.string(),
    endpoints_asked: z
      .number()
      .int()
      .min(1)
      .meta({ description: "Endpoints that requests were sent to since the process started" }),
    resting: z
      .array(z.string())
      .meta({ description: "Models whose endpoint failed too often and is left alone for a while" }),
  })
  .meta({ id: "ProviderHealth" });
export type ProviderHealth = z.output<typeof ProviderHealth>;

export const listProviderHealth = operation({
  ...management,
  id: "listProviderHealth",
  method: "GET",
  path: "/health/providers",
  summary: "What the answering process knows of its providers' health; those it never asked are absent",
  status: 200,
  result: z.object({ data: z.array(ProviderHealth) }),
});
