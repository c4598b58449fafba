import { asObject, asText, parseJson, type JsonObject } from "../../platform/json-values";
import { statusOfError } from "./error-status";

/** An upstream failure after the answer began, or an answer that can't be parsed. */
export class BrokenResponse extends Error {
  /** HTTP status of the error that the upstream reported. */
  readonly status: number | null;
  /** True when the upstream itself reported the error. */
  readonly isReported: boolean;

  constructor(
    message: string,
    readonly raw: string,
    reported?: { status: number | null },
  ) {
    super(message);
    this.name = "BrokenResponse";
    this.status = reported?.status ?? null;
    this.isReported = reported !== undefined;
  }
}

/** Returns the value of an answer's JSON text. Throws `BrokenResponse` for any other text. */
export function answerJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new BrokenResponse("The upstream's response is not valid JSON", text);
  }
}

/** Returns the JSON object of an event or answer. Throws when it reports an error, with the upstream's message. */
export function answerObject(value: unknown): JsonObject {
  const body = asObject(value);
  if (!body) throw new BrokenResponse("The upstream's response is not a JSON object", JSON.stringify(value));
  if (body["error"]) throw reportedError(body["error"], body);
  if (body["object"] === "error" || body["type"] === "error" || isBareError(body)) throw reportedError(body, body);
  return body;
}

/** True for an error whose fields aren't nested in an `error` field. */
const isBareError = (body: JsonObject): boolean =>
  typeof body["message"] === "string" && !("choices" in body) && statusOfError(body) !== null;

/** @param raw The stored part of the upstream's message. */
export function reportedError(error: unknown, raw: unknown): BrokenResponse {
  const fields = asObject(error) ?? { message: error };
  const message = asText(fields["message"])?.slice(0, 1000) || "The upstream reported an error";
  return new BrokenResponse(message, JSON.stringify(raw), { status: statusOfError(fields) });
}
