import { asObject, asText, parseJson, type JsonObject } from "../../platform/json-values";

/** An upstream failure after the answer began, or an answer that can't be parsed. */
export class BrokenAnswer extends Error {
  /** HTTP status that the upstream gave for the error it reported. */
  readonly status: number | null;
  /** True when the upstream itself reported the error. */
  readonly isReported: boolean;

  constructor(
    message: string,
    readonly raw: string,
    reported?: { status: number | null },
  ) {
    super(message);
    this.name = "BrokenAnswer";
    this.status = reported?.status ?? null;
    this.isReported = reported !== undefined;
  }
}

/** Returns the value of an answer's JSON text. Throws `BrokenAnswer` for any other text. */
export function answerJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new BrokenAnswer("The upstream's response is not valid JSON", text);
  }
}

/** Returns the JSON object of an event or answer. Throws when it reports an error, with the upstream's message. */
export function answerObject(value: unknown): JsonObject {
  const body = asObject(value);
  if (!body) throw new BrokenAnswer("The upstream's response is not a JSON object", JSON.stringify(value));
  if (body["error"]) throw reportedError(body["error"], body);
  if (body["object"] === "error" || body["type"] === "error") throw reportedError(body, body);
  return body;
}

/** @param raw The stored part of the upstream's message. */
export function reportedError(error: unknown, raw: unknown): BrokenAnswer {
  const { message, code, status } = asObject(error) ?? { message: error };
  const statuses = [status, code]
    .map(Number)
    .filter((number) => Number.isInteger(number) && number >= 400 && number <= 599);
  return new BrokenAnswer(asText(message)?.slice(0, 1000) || "The upstream reported an error", JSON.stringify(raw), {
    status: statuses[0] ?? null,
  });
}
