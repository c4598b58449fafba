import type { ResponsesBody } from "./contract";
import type { InputItem } from "./input-items-contract";
import { endUserOf, knownFields, serviceTierOf } from "./upstream-fields";

/** Sent when the caller gives them: what the public API documents. Named one by one: nothing else passes upstream. */
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

/** Sent to upstreams that are known to take them: others refuse the whole request for them. */
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

/** The request for Responses upstreams in a body, before its model is chosen. Nothing is stored there: we are stateless. */
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

/** Open reasoning that we wrote for an upstream of the other protocol: a Responses upstream would look its id up and refuse. */
const isMeantForUpstream = (item: InputItem): boolean =>
  !(
    item.type === "reasoning" &&
    !item["encrypted_content"] &&
    typeof item["id"] === "string" &&
    item["id"].startsWith("rs_gen-")
  );

/** Responses knows no switch and no token limit for reasoning, only efforts. */
function reasoningOf({ reasoning }: ResponsesBody) {
  const { enabled, max_tokens: _, ...rest } = reasoning ?? {};
  const documented = { ...rest, ...(enabled === false && { effort: "none" as const }) };
  return Object.keys(documented).length > 0 ? documented : null;
}
