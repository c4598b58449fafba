import { asText, type JsonObject } from "../../platform/json-values";

/** HTTP statuses of errors by the codes and types of OpenAI, Anthropic, Google and others, in lower case. */
const STATUSES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    400: [
      "invalid_request_error",
      "invalid_request",
      "bad_request",
      "badrequesterror",
      "invalid_prompt",
      "invalid_argument",
      "failed_precondition",
      "out_of_range",
      "validation",
      "validation_error",
      "context_length_exceeded",
      "context_window_exceeded",
      "string_above_max_length",
      "invalid_value",
      "invalid_type",
      "missing_required_parameter",
      "unknown_parameter",
      "unsupported_value",
      "unsupported_parameter",
      "invalid_function_parameters",
      "invalid_json_schema",
      "content_filter",
      "content_policy_violation",
      "cyber_policy",
      "bio_policy",
      "data_inspection_failed",
      "invalid_image",
      "invalid_image_format",
      "invalid_base64_image",
      "invalid_image_url",
      "image_too_large",
      "image_too_small",
      "image_parse_error",
      "image_content_policy_violation",
      "invalid_image_mode",
      "image_file_too_large",
      "unsupported_image_media_type",
      "empty_image_file",
      "failed_to_download_image",
      "image_file_not_found",
    ],
    401: ["authentication_error", "authenticationerror", "invalid_api_key", "unauthenticated", "unauthorized"],
    402: ["billing_error", "payment_required", "insufficient_balance"],
    403: ["permission_error", "permission_denied", "forbidden"],
    404: ["not_found_error", "not_found", "notfounderror", "model_not_found"],
    409: ["conflict_error", "aborted"],
    413: ["request_too_large"],
    429: [
      "rate_limit_error",
      "rate_limit_exceeded",
      "rate_limit_reached",
      "ratelimiterror",
      "too_many_requests",
      "resource_exhausted",
      "insufficient_quota",
      "quota_exceeded",
      "usage_limit_reached",
      "tokens",
      "requests",
    ],
    500: ["api_error", "server_error", "internal", "internal_error", "internal_server_error", "internalservererror"],
    503: [
      "unavailable",
      "service_unavailable",
      "server_is_overloaded",
      "slow_down",
      "model_overloaded",
      "engine_overloaded",
    ],
    504: ["timeout_error", "timeout", "deadline_exceeded", "vector_store_timeout"],
    529: ["overloaded_error", "overloaded"],
  }).flatMap(([status, names]) => names.map((name) => [name, Number(status)] as const)),
);

/** Fields that can have a status or its name. Numbers take precedence over names, and earlier fields over later ones. */
const NUMBERS = ["status", "status_code", "http_code", "http_status", "code"];
const NAMES = ["code", "status", "type", "error_type"];

/** Returns the HTTP status that the fields of an error imply; null if none does. */
export function statusOfError(error: JsonObject): number | null {
  for (const name of NUMBERS) {
    const number = Number(error[name] ?? NaN);
    if (Number.isInteger(number) && number >= 400 && number <= 599) return number;
  }
  for (const name of NAMES) {
    const status = STATUSES.get(asText(error[name])?.toLowerCase() ?? "");
    if (status !== undefined) return status;
  }
  return null;
}
