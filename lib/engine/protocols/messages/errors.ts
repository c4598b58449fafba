import { asObject, asText } from "../../../platform/json-values";
import { BrokenAnswer } from "../broken-answer";

/** HTTP statuses of the error types of Messages. */
const STATUSES: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  conflict_error: 409,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

/** Converts an error event, which has a type where a response would have a status. */
export function eventError(event: unknown): BrokenAnswer {
  const { type, message } = asObject(asObject(event)?.["error"]) ?? {};
  return new BrokenAnswer(asText(message)?.slice(0, 1000) || "The upstream reported an error", JSON.stringify(event), {
    status: STATUSES[String(type)] ?? null,
  });
}
