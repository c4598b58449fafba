import { expect, it } from "vitest";
import { BrokenResponse } from "../../engine/protocols/broken-response";
import { statusForCaller, toFailure, upstreamErrorIn } from "../../engine/protocols/upstream-failure";
import type { UpstreamProtocol } from "../../engine/protocols/vocabulary";
import { readResponse } from "../../testing/read-response";

const SSE = { headers: { "content-type": "text/event-stream" } };
const streamed = (event: object, name?: string) =>
  new Response(`${name ? `event: ${name}\n` : ""}data: ${JSON.stringify(event)}\n\n`, SSE);

async function reported(answer: Response, protocol: UpstreamProtocol): Promise<BrokenResponse> {
  try {
    for await (const _ of readResponse(answer, protocol));
  } catch (error) {
    if (error instanceof BrokenResponse) return error;
  }
  throw new Error("expected an error");
}

const TOO_LONG = { code: "context_length_exceeded", message: "too long" };
const LIMITED = { code: "rate_limit_exceeded", message: "slow down" };

it.each<[string, Response, UpstreamProtocol, number, string | null]>([
  ["an error event", streamed({ type: "error", ...TOO_LONG, param: "input" }), "responses", 400, TOO_LONG.code],
  [
    "a nested error event",
    streamed({ type: "error", error: { type: "invalid_request_error", ...TOO_LONG } }),
    "responses",
    400,
    TOO_LONG.code,
  ],
  [
    "response.failed",
    streamed({ type: "response.failed", response: { status: "failed", error: LIMITED } }),
    "responses",
    429,
    LIMITED.code,
  ],
  [
    "a failed response with status 200",
    Response.json({ status: "failed", error: LIMITED, output: [] }),
    "responses",
    429,
    LIMITED.code,
  ],
  [
    "a failed response of the server",
    Response.json({ error: { code: "server_error", message: "oops" } }),
    "responses",
    502,
    "server_error",
  ],
  ["a JSON error with status 200", Response.json({ error: TOO_LONG }), "chat_completions", 400, TOO_LONG.code],
  ["a JSON error without fields of its own", Response.json(LIMITED), "chat_completions", 429, LIMITED.code],
  [
    "a quota",
    Response.json({ error: { code: "insufficient_quota", message: "no" } }),
    "chat_completions",
    429,
    "insufficient_quota",
  ],
  [
    "a type without a code",
    streamed({ error: { type: "invalid_request_error", message: "no" } }),
    "chat_completions",
    400,
    null,
  ],
  ["an event that only its name marks", streamed(TOO_LONG, "error"), "chat_completions", 400, TOO_LONG.code],
  ["a status as text", streamed({ error: { code: "429", message: "no" } }), "chat_completions", 429, "429"],
  [
    "a JSON error with status 200",
    Response.json({ error: { type: "overloaded_error", message: "no" } }),
    "messages",
    529,
    null,
  ],
  [
    "an error event",
    streamed({ type: "error", error: { type: "rate_limit_error", message: "no" } }),
    "messages",
    429,
    null,
  ],
  [
    "a JSON error with status 200",
    Response.json([{ error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "no" } }][0]),
    "generate_content",
    429,
    "RESOURCE_EXHAUSTED",
  ],
  [
    "a status without a code",
    streamed({ error: { status: "INVALID_ARGUMENT", message: "no" } }),
    "generate_content",
    400,
    "INVALID_ARGUMENT",
  ],
])("%s of an upstream has the status that it means, and its code", async (_name, answer, protocol, status, code) => {
  const error = await reported(answer, protocol);
  expect(error.isReported).toBe(true);
  expect(statusForCaller(toFailure(error))).toBe(status);
  expect(upstreamErrorIn(error.raw)?.code).toBe(code);
});
