import type { IncomingMessage, ServerResponse } from "node:http";
import { StrictMessagesBody } from "./strict-messages";
import { upstreamServer } from "./upstream-server";

type Body = Record<string, unknown>;

/** A response of the upstream: a whole message, the events of a stream, or an error. */
export type AnthropicAnswer =
  | { message: object }
  | { events: readonly ({ type: string } & object)[] }
  | { status: number; error: object; headers?: Record<string, string> };

export const API_KEY = "sk-ant-test-0123456789";

/**
 * Starts an upstream that is as strict as Anthropic's public API about path, headers and body, until the test's end. It
 * stores accepted requests, and the problems of the others.
 */
export async function anthropicUpstream(answer: (body: Body) => AnthropicAnswer) {
  const taken: { headers: IncomingMessage["headers"]; body: Body }[] = [];
  const problems: string[] = [];
  const { url } = await upstreamServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      const wrong = problemsOf(request, text);
      problems.push(...wrong);
      if (wrong.length > 0) {
        fail(response, 400, { type: "invalid_request_error", message: wrong.join("; ") });
        return;
      }
      const body = JSON.parse(text) as Body;
      taken.push({ headers: request.headers, body });
      send(response, answer(body));
    });
  });
  return { url: `${url}/v1`, taken, problems };
}

function problemsOf({ method, url, headers }: IncomingMessage, text: string): string[] {
  const problems = [
    ...(method === "POST" && url === "/v1/messages" ? [] : [`${String(method)} ${String(url)} is unknown`]),
    ...(headers["x-api-key"] === API_KEY ? [] : ["x-api-key header is required"]),
    ...(headers["anthropic-version"] === "2023-06-01" ? [] : ["anthropic-version header is required"]),
    ...(headers.authorization === undefined ? [] : ["authorization goes with x-api-key"]),
  ];
  const { issues } = StrictMessagesBody.safeParse(JSON.parse(text)).error ?? { issues: [] };
  return [...problems, ...issues.map(({ path, message }) => `${path.join(".")}: ${message}`)];
}

const fail = (response: ServerResponse, status: number, error: object, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { "content-type": "application/json", "request-id": "req_1", ...headers });
  response.end(JSON.stringify({ type: "error", error, request_id: "req_1" }));
};

function send(response: ServerResponse, answer: AnthropicAnswer): void {
  if ("error" in answer) {
    fail(response, answer.status, answer.error, answer.headers);
    return;
  }
  if ("message" in answer) {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer.message));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  for (const event of answer.events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}
