import type { ResponsesBody } from "../../../gateway/contract";
import type { InputItem } from "../contracts/input-items-contract";
import { endUserOf, knownFields, serviceTierOf } from "../upstream-fields";

/** Fields of the public API, forwarded when the caller sets them. This is an allow list: nothing else is forwarded. */
const DOCUMENTED = [
  "input",
  "instructions",
  "include",
  "max_output_tokens",
  "max_tool_calls",
  "metadata",
  "parallel_tool_calls",
  "prompt",
  "prompt_cache_key",
  "reasoning",
  "safety_identifier",
  "service_tier",
  "temperature",
  "text",
  "tool_choice",
  "tools",
  "top_logprobs",
  "top_p",
  "truncation",
] as const satisfies readonly (keyof ResponsesBody)[];

/** Fields forwarded only to upstreams known to support them: others reject the whole request. */
const OPTIONAL = [
  "top_k",
  "frequency_penalty",
  "presence_penalty",
  "modalities",
  "image_config",
  "cache_control",
  "prompt_cache_options",
  "stop_server_tools_when",
] as const;

/** Builds the request for Responses upstreams, without its model. Storage is disabled because the API is stateless. */
export function toResponsesDraft(body: ResponsesBody, supported: readonly string[] | null = null) {
  const { input } = body;
  const given = {
    ...body,
    input: typeof input === "string" ? input : input?.filter(isMeantForUpstream),
    reasoning: reasoningOf(body),
    service_tier: serviceTierOf(body),
    safety_identifier: endUserOf(body),
  };
  return { ...knownFields(given, DOCUMENTED, OPTIONAL, supported), store: false, stream: body.stream };
}

/**
 * Excludes plain reasoning generated for a chat completions upstream: a Responses upstream would reject its unknown id.
 */
const isMeantForUpstream = (item: InputItem): boolean =>
  !(
    item.type === "reasoning" &&
    !item["encrypted_content"] &&
    typeof item["id"] === "string" &&
    item["id"].startsWith("rs_gen-")
  );

/** Maps reasoning to an effort: Responses has no on/off switch or token limit for it. */
function reasoningOf({ reasoning }: ResponsesBody) {
  const { enabled, max_tokens: _, ...rest } = reasoning ?? {};
  const documented = { ...rest, ...(enabled === false && { effort: "none" as const }) };
  return Object.keys(documented).length > 0 ? documented : null;
}
