/**
 * Parameters that tune an answer, as named in lists of supported parameters; they are dropped for models that don't
 * support them. Messages, tools, formats and limits change what is requested and are always sent: an unsuitable
 * upstream rejects them, and `require_parameters` avoids it.
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

/** Request parameters that upstreams may not support, as named in lists of supported parameters. */
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
