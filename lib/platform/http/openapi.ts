import { accessTextOf } from "./access-text";
import { z } from "zod";
import type { Operation } from "./operation";
import { KEY_HEADERS } from "./vocabulary";

type Json = Record<string, unknown>;

/** Sample messages by status; all errors share one body (docs/semantics.md#errors). */
const ERRORS: Readonly<Record<number, readonly [description: string, message: string]>> = {
  400: ["Invalid request parameters or malformed input", "Invalid request parameters"],
  401: ["Authentication required or credentials invalid", "Missing Authentication header"],
  403: ["Authenticated but not permitted", "Only management keys can perform this operation"],
  404: ["Resource does not exist", "Resource not found"],
  409: ["Resource conflict or concurrent modification", "Resource conflict. Please try again later."],
  412: [
    "If-Match names an older revision",
    "The resource has changed since it was read: If-Match names an older revision",
  ],
  413: ["Request body too large", "The request body exceeds the maximum of 8388608 bytes"],
  415: ["Content-Encoding isn't supported", "Content-Encoding must be one of gzip, br, zstd, or absent"],
  429: ["Rate limit exceeded", "Rate limit exceeded"],
  500: ["Unexpected server error", "Internal Server Error"],
  501: ["Not implemented", "Not implemented"],
  502: ["Upstream provider returned an error", "Provider returned error"],
  503: ["An external check gave no verdict", "The request could not be checked"],
  524: ["Request timed out", "Request timed out. Please try again later."],
  529: ["Upstream provider is overloaded", "Provider returned error"],
};

const Issue = z.object({
  path: z.array(z.union([z.string(), z.number()])),
  message: z.string(),
  code: z.string().optional(),
});

const permission = z.string().optional().meta({ description: "The permission that is missing, of a 403" });

const generationId = z.string().optional().meta({ description: "The generation in the log, if the request has one" });

const status = z.number().int().meta({ description: "Same as the HTTP status" });

const ErrorBody = z
  .object({
    error: z.object({
      code: status,
      message: z.string(),
      type: z.string().optional().meta({ description: "The type that an upstream gave its error" }),
      param: z.string().optional().meta({ description: "The parameter that an upstream's error concerns" }),
      metadata: z
        .looseObject({ issues: z.array(Issue).optional(), permission, generation_id: generationId })
        .optional(),
    }),
    service_metadata: z.record(z.string(), z.unknown()).nullish(),
    user_id: z.string().nullish(),
  })
  .meta({ id: "Error" });

/** The body of an error of inference, which may be an upstream's. */
const InferenceErrorBody = z
  .object({
    ...ErrorBody.shape,
    error: z.object({
      ...ErrorBody.shape.error.shape,
      code: z.union([status, z.string().meta({ description: "The code that an upstream gave its error" })]),
    }),
  })
  .meta({ id: "InferenceError" });

/** The body of an error in the shape of Anthropic's API. */
export const MessagesErrorBody = z
  .object({
    type: z.literal("error"),
    error: z.looseObject({
      type: z.string(),
      message: z.string(),
      metadata: z.looseObject({ issues: z.array(Issue).optional(), generation_id: generationId }).optional(),
    }),
    request_id: z.string(),
    service_metadata: z.record(z.string(), z.unknown()).nullish(),
  })
  .meta({ id: "MessagesError" });

/** The body of an error in the shape of OAuth 2.0 (RFC 6749, section 5.2). */
export const OAuthErrorBody = z
  .object({
    error: z.string().meta({ description: "invalid_request, invalid_grant, …" }),
    error_description: z.string(),
    issues: z.array(Issue).optional(),
  })
  .meta({ id: "OAuthError" });

/** The body of an error in the shape of SCIM (RFC 7644, section 3.12). */
export const ScimErrorBody = z
  .object({
    schemas: z.array(z.literal("urn:ietf:params:scim:api:messages:2.0:Error")),
    status: z.string().meta({ description: "Same as the HTTP status" }),
    scimType: z.string().optional().meta({ description: "invalidFilter, uniqueness, …" }),
    detail: z.string(),
  })
  .meta({ id: "ScimError" });

const FORMATTED_ERRORS = {
  messages: "MessagesError",
  oauth: "OAuthError",
  scim: "ScimError",
} as const satisfies Record<NonNullable<Operation["errorFormat"]>, string>;

const CLIENT_ATTRIBUTES = [
  ["HTTP-Referer", "URL that identifies the calling application"],
  ["X-Signalbox-Title", "Display name of the calling application"],
  ["X-Signalbox-Categories", "Comma-separated categories of the calling application"],
] as const;

/** Parts of a document besides operations. */
interface Surroundings {
  /** Paths outside of `/v1`. */
  paths: Json;
  /** Descriptions of tags. */
  tags: Readonly<Record<string, string>>;
}
const NOTHING_ELSE: Surroundings = { paths: {}, tags: {} };

/** Builds the OpenAPI 3.1 document of operations: https://spec.openapis.org/oas/v3.1.1.html */
export function openApiDocument(
  operations: readonly Operation[],
  version: string,
  { paths: further, tags }: Surroundings = NOTHING_ELSE,
): Json {
  const components: Json = {};
  const schemaOf = schemaWriter(components);
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = describe(operation, schemaOf);
  }
  const used = new Set(operations.map(({ tag }) => tag));
  return {
    openapi: "3.1.1",
    info: {
      title: "Signalbox API",
      version,
      summary: "Guardrails, presets and generation inspection for LLM routing",
      description:
        "Inference for applications, and management of keys, policy and the log. The schema of an event stream describes the data of each event.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/v1", description: "This install" }],
    security: [{ bearer: [] }, ...KEY_HEADERS.map((name) => ({ [name]: [] }))],
    tags: [
      ...[...used].map((name) => ({ name, ...(tags[name] !== undefined && { description: tags[name] }) })),
      ...Object.entries(tags)
        .filter(([name]) => !used.has(name))
        .map(([name, description]) => ({ name, description })),
    ],
    paths: { ...paths, ...further },
    components: {
      schemas: {
        Error: schemaOf(ErrorBody, "output"),
        InferenceError: schemaOf(InferenceErrorBody, "output"),
        MessagesError: schemaOf(MessagesErrorBody, "output"),
        OAuthError: schemaOf(OAuthErrorBody, "output"),
        ScimError: schemaOf(ScimErrorBody, "output"),
        ...components,
      },
      responses: Object.fromEntries(
        [...new Set(operations.flatMap(({ errors, errorFormat }) => (errorFormat ? [] : errors)))]
          .sort((a, b) => a - b)
          .map((code) => [responseName(code), errorResponseOf(code)]),
      ),
      headers: Object.fromEntries(
        Object.entries(HEADERS).map(([name, [description, schema]]) => [name, { description, schema }]),
      ),
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "A management key (`sb-mgmt-v1-…`) or an inference key (`sb-key-v1-…`)",
        },
        scim: { type: "http", scheme: "bearer", description: "A SCIM token (`sb-scim-v1-…`)" },
        ...Object.fromEntries(
          KEY_HEADERS.map((name) => [name, { type: "apiKey", in: "header", name, description: "The same keys" }]),
        ),
      },
    },
  };
}

/** The schema of an operation's parameters. */
interface ObjectSchema {
  properties?: Json;
  required?: string[];
}

type SchemaWriter = (schema: z.ZodType, io: "input" | "output") => Json;

/** Converts schemas to JSON Schema; those with an id become components. */
function schemaWriter(components: Json): SchemaWriter {
  return (schema, io) => {
    const {
      $schema: _,
      $defs = {},
      ...json
    } = z.toJSONSchema(schema, { io, unrepresentable: "any", reused: "inline" }) as Json;
    for (const [name, definition] of Object.entries($defs as Json)) components[name] = relocate(definition);
    const { id, ...body } = relocate(json) as Json;
    if (typeof id !== "string") return body;
    components[id] = body;
    return { $ref: `#/components/schemas/${id}` };
  };
}

/** Converts `#/$defs/X` to `#/components/schemas/X`, and drops inner ids, which the component's name replaces. */
function relocate(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')) as unknown;
}

function describe(operation: Operation, schemaOf: SchemaWriter): Json {
  const { id, summary, note, tag, body, status, result, errors, example, streams, downloads } = operation;
  const jsonType = operation.mediaType ?? "application/json";
  const content: Json = downloads
    ? Object.fromEntries(downloads.map((type) => [type, { schema: schemaOf(result, "output") }]))
    : {
        [jsonType]: {
          schema: schemaOf(result, "output"),
          ...(example?.result !== undefined && { example: example.result }),
        },
        ...(streams && { "text/event-stream": { schema: schemaOf(streams, "output") } }),
      };
  return {
    operationId: id,
    summary,
    description: [accessTextOf(operation), note].filter(Boolean).join(" "),
    tags: [tag],
    ...(operation.access === "public" && { security: [] }),
    ...(operation.access === "scim" && { security: [{ scim: [] }] }),
    parameters: parametersOf(operation, schemaOf),
    ...(body && {
      requestBody: {
        required: !operation.bodyOptional,
        content: Object.fromEntries(
          [
            ...new Set([jsonType, "application/json"]),
            ...(operation.form ? ["application/x-www-form-urlencoded"] : []),
          ].map((type) => [
            type,
            { schema: schemaOf(body, "input"), ...(example?.body !== undefined && { example: example.body }) },
          ]),
        ),
      },
    }),
    responses: {
      [status]: {
        description: descriptionOf(operation),
        headers: headersOf(operation),
        ...(status !== 204 && { content }),
      },
      ...(hasTag(operation) && {
        304: {
          description: "If-None-Match names the current ETag; there is no body",
          headers: refsTo(["X-Request-Id", "ETag"]),
        },
      }),
      ...Object.fromEntries(
        [...errors]
          .sort((a, b) => a - b)
          .map((code) => [
            code,
            operation.errorFormat
              ? errorResponseOf(code, FORMATTED_ERRORS[operation.errorFormat], jsonType)
              : operation.streams || operation.access === "inference"
                ? errorResponseOf(code, "InferenceError")
                : { $ref: `#/components/responses/${responseName(code)}` },
          ]),
      ),
    },
  };
}

const descriptionOf = ({ status, streams }: Operation): string =>
  streams
    ? "The whole answer, or server-sent events; the schema of the event stream describes the data of each event"
    : ({ 200: "OK", 201: "Created", 204: "No content" } as const)[status];

/** Headers of the tightest limit on requests or tokens that counts a request. */
const limitHeaders = (what: "Requests" | "Tokens"): Record<string, readonly [description: string, schema: Json]> => ({
  [`X-RateLimit-Limit-${what}`]: [`${what} that the tightest limit allows in its period`, { type: "integer" }],
  [`X-RateLimit-Remaining-${what}`]: [`${what} that are left of it`, { type: "integer" }],
  [`X-RateLimit-Reset-${what}`]: ["Time until it resets, such as `1m30s`", { type: "string" }],
});

/** Headers of responses, by name. */
const HEADERS: Readonly<Record<string, readonly [description: string, schema: Json]>> = {
  "X-Request-Id": ["ID of the request: the caller's own if it sent a valid one", { type: "string" }],
  "X-RateLimit-Limit": ["Requests per minute that the caller may send", { type: "integer" }],
  "X-RateLimit-Remaining": ["Remaining requests", { type: "integer" }],
  "X-RateLimit-Reset": ["Time at which all requests are available again, in Unix seconds", { type: "integer" }],
  ...limitHeaders("Requests"),
  ...limitHeaders("Tokens"),
  "X-Generation-Id": ["ID of the generation in the log", { type: "string" }],
  "X-Signalbox-Warnings": [
    "Fields that may not do what the caller expects, such as `unknown-field=temprature`",
    { type: "string" },
  ],
  "Server-Timing": ["Milliseconds of each stage of the request, as far as they are known", { type: "string" }],
  "Retry-After": ["Seconds to wait before the next attempt", { type: "integer" }],
  ETag: ["Revision of the object, or a hash of the answer", { type: "string" }],
  "Idempotency-Replayed": ["`true` if this is the stored response to an earlier request", { type: "string" }],
  "Accept-Encoding": ["Encodings of request bodies that are supported", { type: "string" }],
  "Content-Disposition": ["Suggested file name", { type: "string" }],
};
const LIMITED = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

const refsTo = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

function headersOf(operation: Operation): Json {
  const { access, method, idempotent, etag, downloads } = operation;
  return refsTo([
    "X-Request-Id",
    ...(access === "public" ? [] : LIMITED),
    ...(access === "inference" && method === "POST"
      ? [
          ...LIMITED.flatMap((name) => [`${name}-Requests`, `${name}-Tokens`]),
          "X-Generation-Id",
          "X-Signalbox-Warnings",
          "Server-Timing",
        ]
      : []),
    ...(hasTag(operation) || etag ? ["ETag"] : []),
    ...(idempotent ? ["Idempotency-Replayed"] : []),
    ...(downloads ? ["Content-Disposition"] : []),
  ]);
}

/** Errors that say how long to wait. */
const RETRYABLE = [429, 502, 503, 524, 529];

/** True if an operation's answer has an entity tag, so that it may be a 304. */
const hasTag = ({ method, downloads, streams }: Operation): boolean => method === "GET" && !downloads && !streams;

const responseName = (code: number): string => `Error${code}`;

function errorResponseOf(code: number, name = "Error", mediaType = "application/json"): Json {
  const [description, message] = ERRORS[code] ?? ["Error", "Error"];
  const schema = { $ref: `#/components/schemas/${name}` };
  const headers = refsTo([
    "X-Request-Id",
    ...(RETRYABLE.includes(code) ? ["Retry-After"] : []),
    ...(code === 415 ? ["Accept-Encoding"] : []),
  ]);
  return {
    description,
    headers,
    content: {
      [mediaType]: {
        schema,
        ...(!Object.values<string>(FORMATTED_ERRORS).includes(name) && { example: { error: { code, message } } }),
      },
    },
  };
}

function parametersOf(operation: Operation, schemaOf: SchemaWriter): Json[] {
  const { params, query, method, idempotent, ifMatch } = operation;
  const objects = [
    ["path", params],
    ["query", query],
  ] as const;
  const declared = objects.flatMap(([where, schema]) => {
    const { properties = {}, required = [] }: ObjectSchema = schema ? schemaOf(schema, "output") : {};
    return Object.entries(properties).map(([name, property]) => {
      const { description, ...rest } = property as Json;
      const isRequired = where === "path" || (required.includes(name) && !("default" in rest));
      return { name, in: where, required: isRequired, ...(description !== undefined && { description }), schema: rest };
    });
  });
  const headers = [
    ...(method !== "GET" && idempotent
      ? [["Idempotency-Key", "Requests repeated with the same key within 24 hours return the first response"] as const]
      : []),
    ...(ifMatch
      ? [["If-Match", "The ETag of the version that was read; returns 412 if the resource has changed since"] as const]
      : []),
    ...(hasTag(operation)
      ? [["If-None-Match", "The ETag of an earlier response; returns 304 if the response would be the same"] as const]
      : []),
    ...CLIENT_ATTRIBUTES,
  ];
  return [
    ...declared,
    ...headers.map(([name, description]) => ({
      name,
      in: "header",
      required: false,
      description,
      schema: { type: "string" },
    })),
  ];
}
