import { asObject, asText, type JsonObject } from "../../../platform/json-values";
import { BrokenResponse } from "../broken-response";

/** HTTP statuses of the exceptions that end a stream, by their names. */
const STATUSES: Readonly<Record<string, number>> = {
  accessDeniedException: 403,
  internalServerException: 500,
  modelNotReadyException: 429,
  modelStreamErrorException: 424,
  modelTimeoutException: 408,
  resourceNotFoundException: 404,
  serviceQuotaExceededException: 400,
  serviceUnavailableException: 503,
  throttlingException: 429,
  validationException: 400,
};

/** Returns the exception that an event reports, or null. */
export function exceptionIn(event: JsonObject): BrokenResponse | null {
  const name = Object.keys(event)[0] ?? "";
  const status = STATUSES[name.charAt(0).toLowerCase() + name.slice(1)] ?? null;
  if (status === null && !/(?:Exception|Error)$/.test(name)) return null;
  const { message, originalMessage } = asObject(event[name]) ?? {};
  const said = asText(message) || asText(originalMessage) || "The upstream reported an error";
  const error = { message: said.slice(0, 1000), type: name, code: status };
  return new BrokenResponse(error.message, JSON.stringify({ error }), { status });
}
