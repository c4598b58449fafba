/**
 * Parameters that lists of supported parameters speak of, and that a model without them may be asked without: they tune an
 * answer. Messages, tools, formats and limits change what is asked for, so they are never left out; an upstream that can't
 * do them says so itself, and `require_parameters` avoids it.
 */
export const TUNING_PARAMETERS: ReadonlySet<string> = new Set([
  "temperature",
  "top_p",
  "top_k",
  "top_a",
  "min_p",
  "frequency_penalty",
  "presence_penalty",
  "repetition_penalty",
  "logit_bias",
  "logprobs",
  "top_logprobs",
  "seed",
  "stop",
  "parallel_tool_calls",
  "prediction",
  "verbosity",
]);

/** Request fields that an upstream may or may not know, as lists of supported parameters name them. */
export const PARAMETERS: ReadonlySet<string> = new Set([
  ...TUNING_PARAMETERS,
  "max_tokens",
  "response_format",
  "reasoning",
  "tools",
  "tool_choice",
  "modalities",
  "image_config",
]);
