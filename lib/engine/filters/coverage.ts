import { isJsonObject } from "../../platform/json-values";
import { z } from "zod";
import { ChatCompletionsBody } from "../protocols/contracts/chat-request-contract";
import { ResponsesBody } from "../protocols/contracts/responses-request-contract";
import { PROTOCOLS, OWN_OF_COMPLETION, OWN_OF_MESSAGE, OWN_OF_RESPONSE } from "../protocols/vocabulary";
import type { Protocol } from "../endpoint";
import { MessagesBody } from "../protocols/contracts/messages-request-contract";
import { Message, MessageStreamEvent } from "../protocols/contracts/messages-result-contract";
import { ChatChunk, ChatCompletion } from "../protocols/contracts/chat-result-contract";
import { ResponseStreamEvent } from "../protocols/contracts/responses-events-contract";
import { ResponseObject } from "../protocols/contracts/responses-result-contract";

/** A field that isn't scanned. All others in requests and responses are: docs/content-filters.md#coverage. */
interface Exemption {
  /**
   * Path in the body, the response or the event. `*` is any item, a leading `**` any depth, and `<name>` each name that
   * `because` describes.
   */
  field: string;
  protocols: readonly Protocol[];
  /** Limits the exemption to values of this kind; other values are scanned. */
  only?: "opaque" | "media" | "defined";
  because: string;
}

const ALL = PROTOCOLS;
const OPENAI = ["responses", "chat_completions"] as const satisfies readonly Protocol[];

const NOT_SENT = "isn't sent upstream";
const exempt = (fields: readonly string[], protocols: readonly Protocol[], because: string): Exemption[] =>
  fields.map((field) => ({ field, protocols, because }));

const limited = (only: Exemption["only"], names: readonly string[], because: string): Exemption[] =>
  names.map((name) => ({ field: `**.${name}`, protocols: ALL, ...(only && { only }), because }));

const DEFINED = "a field name, or a value such as a role or type, that the protocol or JSON Schema defines";
const ENCRYPTED =
  "encrypted by the model's vendor, in an item, block or detail of this type; at least 64 characters of base64 that don't decode to text";
const BINARY =
  "in a part, block or item, base64 of an image, audio, video, PDF or archive with its signature; a text in base64 is decoded";

/**
 * Fields with text that the model's vendor encrypted, as `owner.field`, by the fields between a message or item and the
 * owner, separated by slashes. The owner is named by its type, or else by the field that contains it. Fields in a
 * tool's input or schema or in a document's text source aren't exempt.
 */
const SEALS: Readonly<Record<string, readonly string[]>> = {
  "": ["reasoning.encrypted_content", "compaction.encrypted_content", "thinking.signature", "redacted_thinking.data"],
  content: ["web_search_result.encrypted_content", "encrypted_code_execution_result.encrypted_stdout"],
  citations: ["web_search_result_location.encrypted_index"],
  reasoning_details: ["reasoning.text.signature", "reasoning.encrypted.data"],
  "extra_content/google": ["google.thought_signature"],
  "tool_calls/extra_content/google": ["google.thought_signature"],
};
const ANSWER_SEALS: typeof SEALS = {
  ...SEALS,
  "": [...(SEALS[""] ?? []), "signature_delta.signature", "web_search_result_location.encrypted_index"],
};
const sealed = (seals: typeof SEALS) => [...new Set(Object.values(seals).flat())];

/** All exemptions from scanning a request. The scanner uses this table, and a test compares it with the contracts. */
export const EXEMPTIONS: readonly Exemption[] = [
  ...exempt(["model", "models", "preset"], ALL, "names a model; the endpoint's own name for it is sent upstream"),
  ...exempt(["provider", "route", "plugins"], ALL, `used for routing; ${NOT_SENT}`),
  ...exempt(["session_id", "trace", "debug"], ALL, `recorded in the log; ${NOT_SENT}`),
  ...exempt(["safety_identifier"], OPENAI, "sent upstream as a hash"),
  ...exempt(["background", "conversation", "previous_response_id", "store"], ["responses"], NOT_SENT),
  ...limited("defined", ["<name>"], DEFINED),
  ...limited("opaque", sealed(SEALS), ENCRYPTED),
  ...limited("media", ["file_data", "b64_json", "image_url", "url", "result", "data"], BINARY),
];

const OWN = "set by Signalbox; the upstream's value isn't sent";

/** All exemptions from scanning a response, streamed or not. The response filter uses this table. */
export const ANSWER_EXEMPTIONS: readonly Exemption[] = [
  ...exempt([...OWN_OF_COMPLETION], ["chat_completions"], OWN),
  ...exempt([...OWN_OF_MESSAGE], ["messages"], OWN),
  {
    field: "response.<name>",
    protocols: ["responses"],
    because: `${OWN}, for ${[...OWN_OF_RESPONSE].map((name) => `\`${name}\``).join(", ")}; names and texts in \`usage\` are scanned`,
  },
  ...exempt(["usage.*"], ALL, "numbers; texts and names are scanned"),
  ...exempt(["**.logprobs", "obfuscation"], OPENAI, "spells or pads the text; removed"),
  ...limited("defined", ["<name>"], DEFINED),
  ...limited("opaque", sealed(ANSWER_SEALS), ENCRYPTED),
  ...limited("media", ["file_data", "b64_json", "partial_image_b64", "image_url", "url", "result", "data"], BINARY),
];

/** Returns the fields of an upstream's Responses object that are scanned; Signalbox sets the others. */
export const sentOfResponse = (response: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(response).filter(([name]) => name === "usage" || !OWN_OF_RESPONSE.has(name)));

/** Returns the fields of an upstream's Responses object that Signalbox replaces. */
export const ownOfResponse = (response: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(response).filter(([name]) => name !== "usage" && OWN_OF_RESPONSE.has(name)));

const unsent = (protocol: Protocol, exemptions: readonly Exemption[]) =>
  new Set(
    exemptions
      .filter(({ field, only, protocols }) => !only && !/[*<]/.test(field) && protocols.includes(protocol))
      .map(({ field }) => field),
  );

/** Names of top-level fields of a request body that aren't scanned. */
export const UNSCANNED: Readonly<Record<Protocol, ReadonlySet<string>>> = {
  responses: unsent("responses", EXEMPTIONS),
  chat_completions: unsent("chat_completions", EXEMPTIONS),
  messages: unsent("messages", EXEMPTIONS),
};
/** Names of top-level fields of a response or event that aren't scanned. */
export const ANSWER_UNSCANNED: Readonly<Record<Protocol, ReadonlySet<string>>> = {
  responses: unsent("responses", ANSWER_EXEMPTIONS),
  chat_completions: unsent("chat_completions", ANSWER_EXEMPTIONS),
  messages: unsent("messages", ANSWER_EXEMPTIONS),
};

const namesOf = (only: Exemption["only"], exemptions = EXEMPTIONS) =>
  new Set(exemptions.filter((exemption) => exemption.only === only).map(({ field }) => field.replace("**.", "")));

const sealsOf = (seals: typeof SEALS): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(Object.entries(seals).map(([fields, names]) => [fields, new Set(names)]));

/** Fields that may contain vendors' encrypted text, by the fields between the message or item and the owner (SEALS). */
export const OPAQUE = sealsOf(SEALS);
/** Names of fields that may contain media in base64. */
export const MEDIA: ReadonlySet<string> = namesOf("media");
export const ANSWER_OPAQUE = sealsOf(ANSWER_SEALS);
export const ANSWER_MEDIA: ReadonlySet<string> = namesOf("media", ANSWER_EXEMPTIONS);

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

/** Names and values that protocols define, which can't contain data of the caller. */
export interface Vocabulary {
  names: ReadonlySet<string>;
  /** Defined values by field name. */
  values: ReadonlyMap<string, ReadonlySet<string>>;
  /** Length of the longest value. Longer texts needn't be hashed to be looked up. */
  longest: number;
}

/** Returns the string constants and examples of a schema, without those of nested properties. */
function constantsOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(constantsOf);
  if (!isJsonObject(schema)) return [];
  const { const: constant, enum: values, examples, anyOf, oneOf, items } = schema;
  const own = [constant, ...[values, examples].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))];
  return [...own.filter((value) => typeof value === "string"), ...[anyOf, oneOf, items].flatMap(constantsOf)];
}

function collect(schema: unknown, names: Set<string>, values: Map<string, Set<string>>): void {
  if (Array.isArray(schema)) for (const part of schema as unknown[]) collect(part, names, values);
  if (!isJsonObject(schema)) return;
  const { properties } = schema;
  if (isJsonObject(properties))
    for (const [name, property] of Object.entries(properties)) {
      names.add(name);
      const known = values.get(name) ?? new Set();
      for (const constant of constantsOf(property)) known.add(constant);
      values.set(name, known);
    }
  for (const [key, part] of Object.entries(schema)) if (key !== "enum") collect(part, names, values);
}

/** Collects the names and values that contracts define; `others` are additional names. */
export function vocabularyOf(contracts: readonly z.ZodType[], others: readonly string[] = []): Vocabulary {
  const names = new Set([...SCHEMA_KEYWORDS.split(" "), ...others]);
  const values = new Map(Object.entries(SCHEMA_VALUES).map(([name, list]) => [name, new Set(list.split(" "))]));
  for (const contract of contracts)
    collect(z.toJSONSchema(contract, { io: "input", unrepresentable: "any" }), names, values);
  const longest = Math.max(...[...values.values()].flatMap((defined) => Array.from(defined, ({ length }) => length)));
  return { names, values, longest };
}

/** Header that names beta features. It is sent upstream, and scanned like a field of the body. */
export const BETA_HEADERS: Readonly<Record<Protocol, string>> = {
  responses: "openai-beta",
  chat_completions: "openai-beta",
  messages: "anthropic-beta",
};

let requests: Vocabulary | undefined;
/** Returns the names and values defined for requests, of all protocols because bodies are converted. */
export const requestVocabulary = (): Vocabulary =>
  (requests ??= vocabularyOf([ResponsesBody, ChatCompletionsBody, MessagesBody], Object.values(BETA_HEADERS)));

let answers: Vocabulary | undefined;
/**
 * Returns the names and values defined for responses and events of all protocols, because responses are converted
 * between protocols. Those of requests are included, because responses become part of later requests.
 */
export const answerVocabulary = (): Vocabulary =>
  (answers ??= vocabularyOf([
    ChatCompletion,
    ChatChunk,
    ResponseObject,
    ResponseStreamEvent,
    Message,
    MessageStreamEvent,
    ResponsesBody,
    ChatCompletionsBody,
    MessagesBody,
  ]));
