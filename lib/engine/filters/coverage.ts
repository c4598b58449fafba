import { z } from "zod";
import { ChatCompletionsBody, ResponsesBody } from "../../gateway/contract";
import type { Protocol } from "../endpoint";

/** A field that isn't scanned: everything else in a body is (docs/content-filters.md#coverage). */
interface Exemption {
  /** Path in the body; `*` is any item, and a leading `**` any depth. */
  field: string;
  protocols: readonly Protocol[];
  /** Limits the exemption to such values; any other value is scanned. */
  only?: "opaque" | "media" | "defined";
  because: string;
}

const BOTH = ["responses", "chat_completions"] as const satisfies readonly Protocol[];

const NOT_SENT = "isn't sent upstream";
const exempt = (fields: readonly string[], protocols: readonly Protocol[], because: string): Exemption[] =>
  fields.map((field) => ({ field, protocols, because }));

/** Every exception from scanning. The scanner reads this table, and a test compares it with the contracts. */
export const EXEMPTIONS: readonly Exemption[] = [
  ...exempt(["model", "models", "preset"], BOTH, "names a model; the endpoint's own name for it is sent upstream"),
  ...exempt(["provider", "route", "plugins"], BOTH, `used for routing; ${NOT_SENT}`),
  ...exempt(["session_id", "trace", "debug"], BOTH, `recorded in the log; ${NOT_SENT}`),
  ...exempt(["user"], BOTH, "sent upstream as a hash"),
  ...exempt(["safety_identifier"], ["responses"], "sent upstream as a hash"),
  ...exempt(["stream_options"], ["chat_completions"], NOT_SENT),
  ...exempt(["background", "previous_response_id", "store"], ["responses"], NOT_SENT),
  {
    field: "**.<name>",
    protocols: BOTH,
    only: "defined",
    because: "a field name, or a value such as a role or type, that the protocol or JSON Schema defines",
  },
  ...["encrypted_content", "signature", "data"].map((name): Exemption => ({
    field: `**.${name}`,
    protocols: BOTH,
    only: "opaque",
    because: "encrypted by the model's vendor; at least 64 characters of base64 that don't decode to text",
  })),
  ...["file_data", "b64_json", "image_url", "url", "result", "data"].map((name): Exemption => ({
    field: `**.${name}`,
    protocols: BOTH,
    only: "media",
    because: "base64 of an image, audio, video, PDF or archive with its signature; a text in base64 is decoded",
  })),
];

const unsent = (protocol: Protocol) =>
  new Set(
    EXEMPTIONS.filter(
      ({ field, only, protocols }) => !only && !field.includes("*") && protocols.includes(protocol),
    ).map(({ field }) => field),
  );

/** Names of the body's fields that aren't scanned. */
export const UNSCANNED: Readonly<Record<Protocol, ReadonlySet<string>>> = {
  responses: unsent("responses"),
  chat_completions: unsent("chat_completions"),
};

const namesOf = (only: Exemption["only"]) =>
  new Set(EXEMPTIONS.filter((exemption) => exemption.only === only).map(({ field }) => field.replace("**.", "")));

/** Names of fields that may contain vendors' encrypted text. */
export const OPAQUE: ReadonlySet<string> = namesOf("opaque");
/** Names of fields that may contain base64. */
export const MEDIA: ReadonlySet<string> = namesOf("media");

/** JSON Schema's keywords, and the values that it defines for them. */
const SCHEMA_KEYWORDS =
  "$schema $id $ref $defs $anchor $comment $dynamicRef $dynamicAnchor $vocabulary additionalItems additionalProperties allOf anyOf const contains contentEncoding contentMediaType contentSchema default definitions dependencies dependentRequired dependentSchemas deprecated description else enum examples exclusiveMaximum exclusiveMinimum format if items maxContains maxItems maxLength maxProperties maximum minContains minItems minLength minProperties minimum multipleOf not nullable oneOf pattern patternProperties prefixItems properties propertyNames readOnly required then title type unevaluatedItems unevaluatedProperties uniqueItems writeOnly";
const SCHEMA_VALUES: Readonly<Record<string, string>> = {
  type: "array boolean integer null number object string",
  format:
    "binary byte date date-time duration email float double hostname idn-email idn-hostname int32 int64 ipv4 ipv6 iri iri-reference json-pointer password regex relative-json-pointer time uri uri-reference uri-template uuid",
  $schema:
    "http://json-schema.org/draft-07/schema# https://json-schema.org/draft-07/schema# https://json-schema.org/draft/2019-09/schema https://json-schema.org/draft/2020-12/schema",
};

/** Names and values that protocols define: they carry nothing of the caller's. */
export interface Vocabulary {
  names: ReadonlySet<string>;
  /** Values by the field that takes them. */
  values: ReadonlyMap<string, ReadonlySet<string>>;
}

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the constants that a schema allows, without those of its fields. */
function constantsOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(constantsOf);
  if (!isNode(schema)) return [];
  const { const: constant, enum: values, anyOf, oneOf, items } = schema;
  const own = [constant, ...(Array.isArray(values) ? (values as unknown[]) : [])];
  return [...own.filter((value) => typeof value === "string"), ...[anyOf, oneOf, items].flatMap(constantsOf)];
}

function collect(schema: unknown, names: Set<string>, values: Map<string, Set<string>>): void {
  if (Array.isArray(schema)) for (const part of schema as unknown[]) collect(part, names, values);
  if (!isNode(schema)) return;
  const { properties } = schema;
  if (isNode(properties))
    for (const [name, property] of Object.entries(properties)) {
      names.add(name);
      const known = values.get(name) ?? new Set();
      for (const constant of constantsOf(property)) known.add(constant);
      values.set(name, known);
    }
  for (const [key, part] of Object.entries(schema)) if (key !== "enum") collect(part, names, values);
}

/** Reads the defined names and values from contracts. */
export function vocabularyOf(contracts: readonly z.ZodType[]): Vocabulary {
  const names = new Set(SCHEMA_KEYWORDS.split(" "));
  const values = new Map(Object.entries(SCHEMA_VALUES).map(([name, list]) => [name, new Set(list.split(" "))]));
  for (const contract of contracts)
    collect(z.toJSONSchema(contract, { io: "input", unrepresentable: "any" }), names, values);
  return { names, values };
}

let requests: Vocabulary | undefined;
/** Names and values defined for requests, of both protocols because bodies are converted. */
export const requestVocabulary = (): Vocabulary => (requests ??= vocabularyOf([ResponsesBody, ChatCompletionsBody]));
