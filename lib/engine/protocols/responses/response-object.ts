import type { ResponseHeader } from "../chat/stream-encoder";
import type { ChatUsage } from "../contracts/chat-result-contract";
import type { ResponsesBody } from "../contracts/responses-request-contract";
import { asObject, asObjects, asText, type JsonObject } from "../../../platform/json-values";
import type { AccumulatedResponse } from "../accumulate";
import type { Receipt } from "../observe";
import { EFFECTIVE_SETTINGS, OWN_OF_RESPONSE } from "../vocabulary";
import type { OutputItem, ResponseObject, ResponseUsage } from "../contracts/responses-result-contract";

/** Builds a Responses object without output, with the request's settings and defaults for missing ones. */
export function emptyResponse({ id, created, model }: ResponseHeader, body: ResponsesBody): ResponseObject {
  return {
    id,
    object: "response",
    created_at: created,
    completed_at: null,
    status: "in_progress",
    error: null,
    incomplete_details: null,
    model,
    output: [],
    output_text: "",
    usage: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    metadata: body.metadata ?? null,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    reasoning: { effort: null, summary: null, ...body.reasoning },
    safety_identifier: body.safety_identifier ?? null,
    store: false,
    temperature: body.temperature ?? EFFECTIVE_SETTINGS.temperature,
    top_p: body.top_p ?? EFFECTIVE_SETTINGS.top_p,
    top_logprobs: body.top_logprobs ?? EFFECTIVE_SETTINGS.top_logprobs,
    frequency_penalty: body.frequency_penalty ?? EFFECTIVE_SETTINGS.frequency_penalty,
    presence_penalty: body.presence_penalty ?? EFFECTIVE_SETTINGS.presence_penalty,
    service_tier: body.service_tier ?? EFFECTIVE_SETTINGS.service_tier,
    truncation: body.truncation ?? EFFECTIVE_SETTINGS.truncation,
    text: { ...body.text, format: formatOf(body) },
    tool_choice: body.tool_choice ?? "auto",
    tools: (body.tools ?? []).map((tool) =>
      tool.type === "function" ? { description: null, parameters: null, strict: null, ...tool } : tool,
    ),
    background: body.background ?? false,
    user: body.user ?? null,
  };
}

/** Builds the Responses object of an event before the end, with the fields of the upstream's object. */
export const begunResponse = (empty: ResponseObject, sent: JsonObject): ResponseObject => ({
  ...empty,
  ...upstreamFields(sent),
});

function formatOf({ text }: ResponsesBody): object {
  const format = text?.format ?? { type: "text" };
  return format.type === "json_schema"
    ? { ...format, description: format["description"] ?? null, strict: format["strict"] ?? false }
    : format;
}

/** Maps chat completions finish reasons to Responses' reasons for an incomplete answer. */
const INCOMPLETE = { length: "max_output_tokens", content_filter: "content_filter" } as const;

/**
 * Builds a Responses object with its output: `completed`, or `incomplete` when the upstream stopped early. An upstream
 * that speaks Responses supplies output and reason.
 */
export function finishedResponse(
  empty: ResponseObject,
  heading: ResponseHeader,
  written: OutputItem[],
  accumulated: AccumulatedResponse,
  receipt: Receipt,
): ResponseObject {
  const { finishReason, serviceTier, usage, response } = accumulated;
  const ownReason = finishReason === "length" || finishReason === "content_filter" ? INCOMPLETE[finishReason] : null;
  const reason = asText(asObject(response?.["incomplete_details"])?.["reason"]) ?? ownReason;
  const output = (response?.["output"] as OutputItem[] | undefined) ?? written;
  return {
    ...empty,
    ...(response && upstreamFields(response)),
    status: reason ? "incomplete" : "completed",
    completed_at: receipt.completedAt,
    incomplete_details: reason ? { ...asObject(response?.["incomplete_details"]), reason } : null,
    output,
    output_text: outputText(output),
    service_tier: serviceTier ?? empty.service_tier,
    usage: usage && toResponseUsage(usage, receipt, heading),
    ...serviceMetadataOf(receipt),
  };
}

/**
 * Returns the fields of an upstream's Responses object that Signalbox doesn't set, such as effective settings. Settings
 * that the upstream doesn't report have their defaults.
 */
function upstreamFields(response: JsonObject): JsonObject {
  const fields: JsonObject = {};
  for (const name in response)
    if (!OWN_OF_RESPONSE.has(name) && response[name] !== undefined)
      if (response[name] !== null || !Object.hasOwn(EFFECTIVE_SETTINGS, name)) fields[name] = response[name];
  return fields;
}

/** Builds a failed Responses object with its partial output and the error. */
export const failedResponse = (
  empty: ResponseObject,
  output: OutputItem[],
  error: NonNullable<ResponseObject["error"]>,
  receipt: Receipt,
): ResponseObject => ({
  ...empty,
  status: "failed",
  error,
  output,
  output_text: outputText(output),
  ...serviceMetadataOf(receipt),
});

const serviceMetadataOf = ({ serviceMetadata }: Receipt) =>
  serviceMetadata ? { service_metadata: { ...serviceMetadata } } : {};

function outputText(output: readonly OutputItem[]): string {
  const parts = output.flatMap((item) => (item.type === "message" ? asObjects(item["content"]) : []));
  return parts.map(({ type, text }) => (type === "output_text" ? (asText(text) ?? "") : "")).join("");
}

const toResponseUsage = (
  { prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details, ...rest }: ChatUsage,
  { costUsd, costDetails }: Receipt,
  { isByok }: ResponseHeader,
): ResponseUsage => ({
  ...rest,
  input_tokens: prompt_tokens,
  input_tokens_details: { ...prompt_tokens_details, cached_tokens: prompt_tokens_details?.cached_tokens ?? 0 },
  output_tokens: completion_tokens,
  output_tokens_details: {
    ...completion_tokens_details,
    reasoning_tokens: completion_tokens_details?.reasoning_tokens ?? 0,
  },
  cost: costUsd ?? undefined,
  ...(costDetails && {
    cost_details: {
      upstream_inference_input_cost: costDetails.prompt,
      upstream_inference_output_cost: costDetails.completion,
      ...costDetails.parts,
    },
  }),
  is_byok: isByok,
});
