import fc from "fast-check";
import { openApiDocument } from "../lib/platform/http/openapi";
import type { Operation } from "../lib/platform/http/operation";

type Json = Record<string, unknown>;

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  schema: Json;
}

interface DocumentedOperation {
  tags: string[];
  parameters: Parameter[];
  requestBody?: { content: { "application/json": { schema: Json } } };
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Json> };
}

/** One raw request; `body` is base64 because it may be binary. */
export interface HostileRequest {
  /** The documented path that `target` was built from. */
  path: string;
  method: string;
  target: string;
  headers: Record<string, string>;
  body?: string;
}

interface Source {
  components: OpenApiDocument["components"];
  /** Identifiers of existing objects. */
  known: readonly string[];
}

/** Strings that often break parsers, databases and paths. */
const NASTY_TEXTS = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff\ud800",
  "__proto__",
  "constructor",
  "null",
  "NaN",
  "-1",
  "9".repeat(400),
  "x".repeat(20_000),
  "🦊".repeat(300),
  "\u202e\ufeff\u2028",
  "'; DROP TABLE guardrails; --",
  "%s%n%x",
  "../../etc/passwd",
  "${jndi:ldap://x}",
  "<script>alert(1)</script>",
  "(a*)*$",
  "(?=a)\\1",
  "2026-02-30T25:61:61Z",
  "+275760-09-13T00:00:00.001Z",
  "00000000-0000-0000-0000-000000000000",
  "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
];
const NASTY_NUMBERS = [0, -0, -1, 0.1, 1e-7, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, 1e21, 1e308, -1e308, 5e-324];
const NASTY_KEYS = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "id",
  "organization_id",
  "revision",
  "deletedAt",
  "",
  "a\u0000",
  "\ud800",
  "$where",
  "k".repeat(5000),
];

const nestedArrays = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));

const nastyValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...NASTY_TEXTS),
  fc.constantFrom<unknown>(...NASTY_NUMBERS),
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { a: { b: [] } }),
  fc.integer({ min: 60, max: 70 }).map(nestedArrays),
  fc.constant(nestedArrays(500)),
  fc.jsonValue(),
);

/** Values that are nearly always valid for a JSON Schema. */
function fromSchema(schema: Json, source: Source, depth = 0): fc.Arbitrary<unknown> {
  const within = (inner: unknown) => fromSchema(inner as Json, source, depth + 1);
  if (typeof schema["$ref"] === "string")
    return within(source.components.schemas[schema["$ref"].split("/").at(-1) ?? ""] ?? {});
  if ("const" in schema) return fc.constant(schema["const"]);
  if (Array.isArray(schema["enum"])) return fc.constantFrom(...(schema["enum"] as unknown[]));
  const variants = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(variants)) return fc.oneof(...variants.map(within));
  if (Array.isArray(schema["allOf"]))
    return fc.tuple(...schema["allOf"].map(within)).map((parts) => Object.assign({}, ...parts) as unknown);
  if (Array.isArray(schema["type"]))
    return fc.oneof(...(schema["type"] as string[]).map((type) => within({ ...schema, type })));
  const bound = (name: string, fallback: number) => (typeof schema[name] === "number" ? schema[name] : fallback);
  switch (schema["type"]) {
    case "string":
      return textFrom(schema, source, bound("minLength", 0), bound("maxLength", 40));
    case "integer":
      return fc.integer({
        min: Math.max(bound("minimum", -100), -(2 ** 31)),
        max: Math.min(bound("maximum", 100), 2 ** 31 - 1),
      });
    case "number":
      return fc.double({
        min: bound("minimum", -100),
        max: Math.max(bound("maximum", 100), bound("minimum", -100)),
        noNaN: true,
      });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return depth > 6
        ? fc.constant([])
        : fc.array(within(schema["items"] ?? {}), {
            minLength: Math.min(bound("minItems", 0), 3),
            maxLength: Math.max(Math.min(bound("maxItems", 3), 3), Math.min(bound("minItems", 0), 3)),
          });
    case "object":
      return objectFrom(schema, within, depth);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectFrom(
  schema: Json,
  within: (inner: unknown) => fc.Arbitrary<unknown>,
  depth: number,
): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema["properties"] ?? {}) as Json);
  const required = (schema["required"] ?? []) as string[];
  const wanted = depth > 6 ? properties.filter(([name]) => required.includes(name)) : properties;
  return fc.record(Object.fromEntries(wanted.map(([name, inner]) => [name, within(inner)])), {
    requiredKeys: required.filter((name) => wanted.some(([one]) => one === name)),
  });
}

function textFrom(schema: Json, { known }: Source, minLength: number, maxLength: number): fc.Arbitrary<string> {
  if (schema["format"] === "uuid") return fc.oneof(fc.uuid(), fc.constantFrom(...known));
  if (schema["format"] === "date-time") return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (typeof schema["pattern"] === "string") {
    try {
      return fc.stringMatching(new RegExp(schema["pattern"]));
    } catch {
      return fc.string();
    }
  }
  return fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, minLength + 40) });
}

/** A valid body with one value replaced or removed, or with an unexpected field added. */
const mutated = (body: unknown): fc.Arbitrary<unknown> =>
  fc
    .tuple(fc.nat(), nastyValue, fc.constantFrom("replace", "remove", "add"), fc.constantFrom(...NASTY_KEYS))
    .map(([index, value, how, key]) => {
      const copy: unknown = structuredClone(body);
      const places = placesIn(copy);
      const place = places[index % Math.max(places.length, 1)];
      if (!place) return value;
      const [holder, name] = place;
      if (how === "remove") Reflect.deleteProperty(holder, name);
      else
        Object.defineProperty(holder, how === "add" && !Array.isArray(holder) ? key : name, {
          value,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      return copy;
    });

function placesIn(value: unknown, depth = 0): [holder: object, name: string][] {
  if (typeof value !== "object" || value === null || depth > 8) return [];
  return Object.entries(value).flatMap(([name, child]) => [
    [value, name] as [object, string],
    ...placesIn(child, depth + 1),
  ]);
}

const base64 = (bytes: string | Uint8Array) => Buffer.from(bytes as Uint8Array).toString("base64");

/** Body bytes: mostly JSON for the schema, sometimes other JSON, sometimes no JSON. */
function bodyBytes(schema: Json, source: Source): fc.Arbitrary<string> {
  const valid = fromSchema(schema, source);
  const json = (value: unknown) => base64(JSON.stringify(value ?? null));
  const text = valid.map((value) => JSON.stringify(value ?? null));
  return fc.oneof(
    { weight: 6, arbitrary: valid.map(json) },
    { weight: 8, arbitrary: valid.chain(mutated).map(json) },
    { weight: 3, arbitrary: valid.chain(mutated).chain(mutated).map(json) },
    { weight: 2, arbitrary: nastyValue.map(json) },
    { weight: 1, arbitrary: fc.tuple(text, fc.nat(200)).map(([whole, cut]) => base64(whole.slice(0, cut))) },
    { weight: 1, arbitrary: text.map((whole) => base64(whole.replaceAll(/:(\d+|true|false|null)/g, ":1e999"))) },
    {
      weight: 1,
      arbitrary: text.map((whole) =>
        base64(Buffer.concat([Buffer.from(whole.slice(0, -1)), Buffer.from([0xff, 0xc0, 0x7d])])),
      ),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }).map(base64) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom("", "{", "[".repeat(50_000), '{"a":'.repeat(5000), "\ufeff{}", '{"name":"a","name":"b"}')
        .map(base64),
    },
  );
}

const pathValue = (schema: Json, source: Source): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fromSchema(schema, source).map((value) => encodeURIComponent(wellFormed(String(value)))) },
    { weight: 4, arbitrary: fc.constantFrom(...source.known) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(...NASTY_TEXTS).map((text) => encodeURIComponent(wellFormed(text.slice(0, 2000)))),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom("%", "%ff", "%00", "%2e%2e", "..", ".", "%2F", ";a=b", "a%20b", "%F0%9F%A6%8A"),
    },
  );

const wellFormed = (text: string) => text.toWellFormed();

function queryText(parameters: readonly Parameter[], source: Source): fc.Arbitrary<string> {
  const named = parameters.map((parameter) =>
    fc
      .oneof(
        fromSchema(parameter.schema, source).map(String),
        fc.constantFrom(...NASTY_TEXTS).map((text) => text.slice(0, 2000)),
        fc.constantFrom("0", "1", "100", "101", "-1", "1e3", "0x10"),
      )
      .map((value) => `${parameter.name}=${encodeURIComponent(wellFormed(value))}`),
  );
  const odd = fc.constantFrom(
    "",
    "&&&",
    "=",
    "a",
    "limit",
    "limit=%",
    "limit=%ff",
    "offset=%00",
    "__proto__=1",
    "constructor[a]=1",
    "x=".repeat(500),
    "%F0%9F",
  );
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant("") },
    { weight: 5, arbitrary: fc.array(fc.oneof(...named, odd), { maxLength: 5 }).map((parts) => parts.join("&")) },
  );
}

const ODD_HEADERS: readonly (readonly [name: string, ...values: string[]])[] = [
  ["idempotency-key", "", "a", "same", "x".repeat(256), "\u00e9\u00ff"],
  ["if-match", "*", '"1"', '"999999999999"', "W/", '"', "x"],
  ["x-request-id", "ok-0123456789", "x", "\u00ff".repeat(20)],
  ["http-referer", "https://example.com", "\u00ff", "x".repeat(5000)],
  ["x-signalbox-categories", "a,b", ",".repeat(500)],
  ["x-signalbox-metadata", "enabled", "maybe"],
  ["x-session-id", "s", "x".repeat(3000)],
  ["accept", "text/event-stream", "text/html", ""],
  ["cookie", "session=x", "=;=;", `signalbox_session=${"a".repeat(2000)}`],
  ["origin", "null", "https://evil.example"],
  ["host", "evil.example", "a b", "[", ""],
  ["expect", "nothing"],
  ["anthropic-version", "2023-06-01", "", "x"],
  ["content-encoding", "gzip"],
];

const oddHeaders: fc.Arbitrary<Record<string, string>> = fc
  .array(
    fc
      .constantFrom(...ODD_HEADERS)
      .chain(([name, ...values]) => fc.constantFrom(...values).map((value) => [name, value] as const)),
    { maxLength: 2 },
  )
  .map((pairs) => Object.fromEntries(pairs));

const contentType = fc.oneof(
  { weight: 20, arbitrary: fc.constant<string | undefined>("application/json") },
  {
    weight: 2,
    arbitrary: fc.constantFrom<string | undefined>(
      undefined,
      "text/plain",
      "application/json; charset=utf-16",
      "application/jsonx",
      "multipart/form-data",
      "",
      "\u00ff",
    ),
  },
);

const documentedIn = (paths: OpenApiDocument["paths"], selectedBy: Operation["selectedBy"]) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => !("servers" in operation))
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation, selectedBy })),
  );

/** Generates requests, mostly nearly valid, to documented operations and `alternatives`. `known` identifies existing objects. */
export function hostileRequests(
  document: OpenApiDocument,
  known: readonly string[],
  keys: { management: string; inference: string },
  alternatives: readonly Operation[] = [],
): fc.Arbitrary<HostileRequest> {
  const source: Source = { components: document.components, known };
  const operations = [
    ...documentedIn(document.paths, {}),
    ...alternatives.flatMap((one) =>
      documentedIn(openApiDocument([one], "")["paths"] as OpenApiDocument["paths"], one.selectedBy),
    ),
  ];
  const authorization = (isInference: boolean) => {
    const [right, wrong] = isInference ? [keys.inference, keys.management] : [keys.management, keys.inference];
    return fc.oneof(
      { weight: 30, arbitrary: fc.constant<string | undefined>(`Bearer ${right}`) },
      {
        weight: 3,
        arbitrary: fc.constantFrom<string | undefined>(
          `Bearer ${wrong}`,
          undefined,
          "Bearer",
          "Bearer \u00ff",
          "Basic eDp4",
          "x".repeat(6000),
        ),
      },
    );
  };
  return fc.constantFrom(...operations).chain(({ path, method, operation, selectedBy }) => {
    const { tags, parameters, requestBody } = operation;
    const pathNames = parameters.filter((parameter) => parameter.in === "path");
    const schema = requestBody?.content["application/json"].schema;
    return fc
      .record({
        method: fc.oneof(
          { weight: 20, arbitrary: fc.constant(method) },
          {
            weight: 1,
            arbitrary: fc.constantFrom("GET", "HEAD", "OPTIONS", "PUT", "POST", "PATCH", "DELETE", "TRACE", "PROPFIND"),
          },
        ),
        path: fc.tuple(...pathNames.map(({ schema: of }) => pathValue(of, source))),
        query: queryText(
          parameters.filter((parameter) => parameter.in === "query"),
          source,
        ),
        authorization: authorization(tags.includes("Inference")),
        type: contentType,
        odd: oddHeaders,
        body: fc.oneof(
          { weight: 12, arbitrary: schema ? bodyBytes(schema, source) : fc.constant<string | undefined>(undefined) },
          { weight: 1, arbitrary: fc.constantFrom<string | undefined>(undefined, base64("{}"), base64("x")) },
        ),
      })
      .map((given): HostileRequest => {
        const filled = pathNames.reduce(
          (text, { name }, index) => text.replace(`{${name}}`, () => given.path[index] ?? ""),
          path,
        );
        return {
          path,
          method: given.method,
          target: `/v1${filled}${given.query && `?${given.query}`}`,
          headers: {
            ...selectedBy,
            ...given.odd,
            ...(given.authorization !== undefined && { authorization: given.authorization }),
            ...(given.body !== undefined && given.type !== undefined && { "content-type": given.type }),
          },
          ...(given.body !== undefined && { body: given.body }),
        };
      });
  });
}
