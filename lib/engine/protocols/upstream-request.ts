import type { ChatMessage } from "./contracts/chat-messages-contract";
import { isReasoningReference, type InputItem } from "./contracts/input-items-contract";
import { asObject, asObjects } from "../../platform/json-values";
import { withShortCallIds, withShortItemCallIds } from "./call-id";
import type { ChatCompletionsBody } from "./contracts/chat-request-contract";
import type { ResponsesBody } from "./contracts/responses-request-contract";
import { CHAT_TO_CONVERSE, chatToConverse } from "./converse/from-chat";
import { withModelFields } from "./converse/model-fields";
import type { UpstreamProtocol } from "./vocabulary";
import type { Endpoint } from "../endpoint";
import type { Conversion, Draft, FieldPath, Fields, Unconvertible } from "./field-rules";
import type { Honour } from "./honour";
import { generateContentBody, generateContentPath } from "./generate-content/body";
import { CHAT_TO_GENERATE_CONTENT, chatToGenerateContent, withoutExceptions } from "./generate-content/from-chat";
import type { InferenceRequest } from "./inference-request";
import { inconvertibleValues } from "./known-values";
import { CHAT_TO_MESSAGES, chatToMessages } from "./messages/from-chat";
import { ownMessages } from "./messages/own-messages";
import { isRejected, messagesFields } from "./messages/sent-fields";
import { isSealed } from "./messages/thinking-details";
import { returnedMessages } from "./chat/returned-messages";
import { withoutClientFields } from "./client-fields";
import { sentLimit } from "./output-limit";
import { TUNING_PARAMETERS } from "./parameters";
import { CHAT_TO_RESPONSES, chatToResponses } from "./responses/from-chat";
import { SAME_PROTOCOL } from "./same-protocol";
import { throughChat, toChat } from "./through-chat";
import { hashedUser, serviceTierOf } from "./upstream-fields";

/** The request sent upstream, with its path below the base URL. */
export interface UpstreamRequest {
  path: string;
  isStream: boolean;
  body: Record<string, unknown>;
  /** Headers of the caller that the upstream receives. */
  headers?: Readonly<Record<string, string>>;
}

/** The request sent to a chat completions upstream. */
export type ChatRequest = Partial<ChatCompletionsBody> &
  Pick<ChatCompletionsBody, "messages" | "stream"> & { model: string };

type Target = Pick<Endpoint, "model" | "upstreamModel" | "supportedParameters"> & {
  provider: Pick<Endpoint["provider"], "protocol">;
};

/**
 * Builds the request for an endpoint: the caller's own fields for an upstream of the same protocol, else their conversion
 * (docs/protocols.md).
 */
export function upstreamRequest(request: InferenceRequest, endpoint: Target): UpstreamRequest {
  const { provider, supportedParameters: supported } = endpoint;
  const { protocol } = provider;
  const draft =
    protocol === request.protocol ? ownFields(request) : convertedFor(conversionOf(request, protocol), supported);
  if (supported)
    for (const name in draft) if (TUNING_PARAMETERS.has(name) && !supported.includes(name)) draft[name] = undefined;
  return SENT_AS[protocol](draft, request, endpoint);
}

/** Fields that Signalbox sets and paths of requests, by upstream protocol. */
const SENT_AS: Readonly<
  Record<UpstreamProtocol, (draft: Draft, request: InferenceRequest, endpoint: Target) => UpstreamRequest>
> = {
  chat_completions: (draft, request, endpoint) => ({
    path: "/chat/completions",
    isStream: request.body.stream,
    body: withShortIds("messages", withShortCallIds, {
      ...draft,
      ...chatFields(draft, request, endpoint),
      model: endpoint.upstreamModel,
      stream: request.body.stream,
    }),
  }),
  responses: (draft, request, { upstreamModel }) => ({
    path: "/responses",
    isStream: request.body.stream,
    body: withShortIds("input", withShortItemCallIds, {
      ...draft,
      ...responsesFields(draft, request),
      model: upstreamModel,
      stream: request.body.stream,
    }),
  }),
  messages: (draft, request, endpoint) => ({
    path: "/messages",
    isStream: request.body.stream,
    body: {
      ...(request.protocol === "messages" ? ownMessages(draft) : messagesFields(draft, endpoint)),
      model: endpoint.upstreamModel,
      stream: request.body.stream,
    },
  }),
  generate_content: (draft, request, { upstreamModel }) => ({
    path: generateContentPath(upstreamModel, request.body.stream),
    isStream: request.body.stream,
    body: generateContentBody(draft, upstreamModel),
  }),
  converse: (draft, { body: { stream } }, { upstreamModel, supportedParameters }) => ({
    path: `/model/${encodeURIComponent(upstreamModel)}/${stream ? "converse-stream" : "converse"}`,
    isStream: stream,
    body: withModelFields(draft, upstreamModel, supportedParameters),
  }),
};

/** Shortens the ids of calls in a field of the body to the length that the upstream accepts. */
const withShortIds = (field: string, shorten: (value: unknown) => unknown, body: Draft): Draft => {
  const short = shorten(body[field]);
  return short === body[field] ? body : { ...body, [field]: short };
};

/** Conversions to an upstream protocol, from a caller's other protocol. */
const CONVERSIONS: Readonly<Record<UpstreamProtocol, (request: InferenceRequest) => Conversion>> = {
  chat_completions: (request) =>
    request.protocol === "chat_completions" ? { draft: request.body, refused: [], honour: {} } : toChat(request),
  responses: (request) => throughChat(request, { rules: CHAT_TO_RESPONSES, convert: chatToResponses }),
  messages: (request) => throughChat(request, { rules: CHAT_TO_MESSAGES, convert: chatToMessages }),
  generate_content: (request) =>
    withoutExceptions(throughChat(request, { rules: CHAT_TO_GENERATE_CONTENT, convert: chatToGenerateContent })),
  converse: (request) => throughChat(request, { rules: CHAT_TO_CONVERSE, convert: chatToConverse }),
};

/** True for parameters that a converted request leaves out, because the endpoint's model rejects them. */
const isLeftOut = (name: string, from: UpstreamProtocol, endpoint: Target): boolean =>
  endpoint.provider.protocol === "messages" && from !== "messages" && isRejected(name, endpoint);

/**
 * Returns the places of a request's fields that aren't sent: by an endpoint's list of supported parameters, by its model, or
 * because the conversion leaves them out.
 */
export const unsupportedFields = (request: InferenceRequest, endpoint: Target): string[] => {
  const { protocol, body } = request;
  const { supportedParameters: supported } = endpoint;
  const { dropped, honour } = leftOutOf(request, endpoint);
  const isHonoured = (name: string): boolean =>
    (name === "stop" && honour.stop !== undefined) || (name === "parallel_tool_calls" && honour.calls !== undefined);
  const names = Object.keys(body).filter(
    (name) =>
      ((body as Fields)[name] ?? null) !== null &&
      !isHonoured(name) &&
      (supported ? TUNING_PARAMETERS.has(name) && !supported.includes(name) : isLeftOut(name, protocol, endpoint)),
  );
  return [...new Set([...names, ...dropped])];
};

const conversions = new WeakMap<object, Map<UpstreamProtocol, Conversion>>();

/** Converts a request to another protocol, once for all endpoints of that protocol. */
export function conversionOf(request: InferenceRequest, protocol: UpstreamProtocol): Conversion {
  const known = conversions.get(request.body) ?? new Map<UpstreamProtocol, Conversion>();
  const conversion = known.get(protocol) ?? withUnknownValues(CONVERSIONS[protocol](request), request);
  conversions.set(request.body, known.set(protocol, conversion));
  return conversion;
}

/** Adds refusals of values that Signalbox doesn't know, for fields that the conversion itself doesn't refuse. */
function withUnknownValues(conversion: Conversion, request: InferenceRequest): Conversion {
  const message = "has a value that needs an upstream of the request's own protocol";
  const refusedFields = new Set(conversion.refused.map(({ path }) => path[0]));
  const further = inconvertibleValues(request).filter(([field]) => !refusedFields.has(field));
  return further.length === 0
    ? conversion
    : { ...conversion, refused: [...conversion.refused, ...further.map((path) => ({ path, message }))] };
}

/** True when an endpoint's list of supported parameters, or its model, decides about a field without a counterpart. */
const isDecided = ({ path, unless }: Unconvertible, from: UpstreamProtocol, endpoint: Target): boolean => {
  const { supportedParameters: supported } = endpoint;
  const name = path.length === 1 ? String(path[0]) : "";
  if (supported === null) return isLeftOut(name, from, endpoint);
  if (unless !== undefined && supported.includes(unless.parameter)) return true;
  return TUNING_PARAMETERS.has(name) && (unless !== undefined || !supported.includes(name));
};

/**
 * Returns the fields that a conversion leaves out for an endpoint, and the settings that Signalbox applies to the
 * answer; none in the same protocol.
 */
function leftOutOf(
  request: InferenceRequest,
  { provider: { protocol }, supportedParameters: supported }: Target,
): { tools: string[]; dropped: string[]; honour: Honour } {
  if (protocol === request.protocol) return { tools: [], dropped: [], honour: {} };
  const { refused, honour } = conversionOf(request, protocol);
  const left = refused.filter(({ unless }) => !(unless && supported?.includes(unless.parameter)));
  return {
    tools: left.flatMap(({ leftOut }) => (typeof leftOut === "object" ? [leftOut.tool] : [])),
    dropped: left.flatMap(({ path, leftOut }) => (leftOut === "field" ? [placeOf(path)] : [])),
    honour,
  };
}

/** Names a path in a warning, without indexes of lists: `messages[].name`. */
const placeOf = (path: FieldPath): string =>
  path.reduce<string>(
    (place, part) => (typeof part === "number" ? `${place}[]` : `${place}${place && "."}${part}`),
    "",
  );

/** Returns the settings that Signalbox applies to the answer of an endpoint. */
export const honourOf = (request: InferenceRequest, endpoint: Target): Honour => leftOutOf(request, endpoint).honour;

/** Returns the parts of a request that an endpoint of another protocol doesn't support. */
export const unconvertible = (request: InferenceRequest, endpoint: Target): Unconvertible[] =>
  conversionOf(request, endpoint.provider.protocol).refused.filter(
    (one) => one.leftOut === undefined && !isDecided(one, request.protocol, endpoint),
  );

/** Returns the optional tools that aren't sent to an endpoint of another protocol. */
export const leftOutTools = (request: InferenceRequest, endpoint: Target): string[] =>
  leftOutOf(request, endpoint).tools;

function convertedFor({ draft, refused }: Conversion, supported: readonly string[] | null): Draft {
  const sent = { ...draft };
  for (const { unless } of refused) if (unless && supported?.includes(unless.parameter)) unless.write(sent);
  return sent;
}

/** Returns the caller's fields without Signalbox's own. */
function ownFields({ protocol, body }: InferenceRequest): Draft {
  const rules = SAME_PROTOCOL[protocol];
  const sent: Draft = {};
  for (const name in body)
    if (body[name] !== undefined && !(Object.hasOwn(rules, name) && rules[name]?.is === "ours"))
      sent[name] = body[name];
  return sent;
}

/** Fields of several protocols that Signalbox sets. */
function sharedFields(draft: Draft, request: InferenceRequest): Draft {
  return {
    ...(typeof draft["safety_identifier"] === "string" && {
      safety_identifier: hashedUser(draft["safety_identifier"]),
    }),
    ...(draft["service_tier"] === "fast" && { service_tier: serviceTierOf(request) }),
  };
}

function responsesFields(draft: Draft, request: InferenceRequest): Draft {
  const { input, reasoning } = draft;
  return {
    ...sharedFields(draft, request),
    ...(Array.isArray(input) && { input: withoutClientFields(input).filter(isMeantForUpstream) }),
    ...((reasoning ?? null) !== null && { reasoning: withoutSwitch(reasoning as ResponsesBody["reasoning"]) }),
    store: false,
  };
}

/**
 * Excludes reasoning that a Responses upstream would reject: reasoning that another vendor encrypted, and references by
 * id, because nothing is stored.
 */
const isMeantForUpstream = (item: InputItem): boolean => {
  if (item.type !== "reasoning") return !isReasoningReference(item);
  if (item["encrypted_content"]) return !isSealed(item["encrypted_content"]);
  return asObjects(item["content"]).length > 0 && !String(item["id"]).startsWith("rs_gen-");
};

/** Maps a reasoning switch, which Responses doesn't have, to an effort. */
function withoutSwitch(given: ResponsesBody["reasoning"]): ResponsesBody["reasoning"] | undefined {
  const { enabled, ...reasoning } = given ?? {};
  const sent = enabled === false ? { ...reasoning, effort: "none" as const } : reasoning;
  return Object.keys(sent).length > 0 ? sent : undefined;
}

function chatFields(draft: Draft, request: InferenceRequest, endpoint: Target): Draft {
  const { supportedParameters: supported } = endpoint;
  return {
    ...sharedFields(draft, request),
    ...sentLimit(draft, endpoint),
    ...reasoningFields(draft, supported),
    ...(request.body.stream && { stream_options: { ...asObject(draft["stream_options"]), include_usage: true } }),
    ...(request.protocol === "responses" &&
      supported?.includes("metadata") &&
      request.body.metadata && { metadata: request.body.metadata }),
    ...returnedMessages(draft["messages"] as ChatMessage[], endpoint),
  };
}

/**
 * Sends an effort alone as `reasoning_effort`; anything more, or an upstream that requires it, uses the `reasoning`
 * object.
 */
function reasoningFields(draft: Draft, supported: readonly string[] | null): Draft {
  const { reasoning_effort } = draft;
  const reasoning = asObject(draft["reasoning"]) as ChatCompletionsBody["reasoning"];
  const effort = reasoning?.effort ?? (reasoning?.enabled === false ? "none" : reasoning_effort);
  const isMore =
    typeof reasoning?.max_tokens === "number" ||
    (reasoning?.enabled === true && !effort) ||
    Object.keys(reasoning ?? {}).some((name) => !EFFORT.has(name));
  const takesObject = supported?.includes("reasoning") === true && !supported.includes("reasoning_effort");
  if (isMore || (takesObject && (reasoning || effort)))
    return { reasoning: { ...reasoning, ...(effort ? { effort } : {}) }, reasoning_effort: undefined };
  return reasoning || effort ? { reasoning: undefined, reasoning_effort: effort } : {};
}

const EFFORT: ReadonlySet<string> = new Set(["effort", "enabled", "summary"]);
