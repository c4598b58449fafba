import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as timers from "node:timers/promises";
import { converseEvents, generatedEvents, wholeConverse, wholeGenerated } from "./fake-cloud-answers";
import {
  chatEvents,
  messageEvents,
  responsesEvents,
  wholeChat,
  wholeMessage,
  wholeResponse,
  type FakeAnswer,
} from "./fake-provider-answers";

export interface Received {
  method: string;
  /** Path below the base URL: `/chat/completions`, `/responses`, `/messages`, `/models`, `/models/{model}:generateContent`. */
  path: string;
  headers: IncomingHttpHeaders;
  /** The parsed body; an empty object without one. */
  body: Record<string, unknown>;
  /** True if the client closed the connection before the end of the response. */
  isAbandoned: boolean;
}

export interface FakeProvider {
  /** Base URL for all protocols: `http://127.0.0.1:<port>/v1`. */
  baseUrl: string;
  /** All requests in order of arrival. */
  received: readonly Received[];
  /** Requests for a model. */
  requestsFor: (model: string) => Received[];
  /** Scripts a model's responses in order; the last one is repeated. */
  script: (model: string, ...answers: [FakeAnswer, ...FakeAnswer[]]) => void;
  stop: () => Promise<void>;
}

export interface FakeProviderOptions {
  /** The only accepted bearer key; accepts any if unset. */
  apiKey?: string;
  /** Additional entries of `GET /models`, in any shape. */
  models?: readonly ({ id: string } & Record<string, unknown>)[];
  /** The response of models without a script. */
  answer?: (request: Received) => FakeAnswer;
}

/**
 * An upstream on loopback: `POST /chat/completions`, `POST /responses`, `GET /models`, Anthropic's `POST /messages`, Gemini's
 * `POST /models/{model}:generateContent` and Bedrock's `POST /model/{model}/converse`, whose credentials aren't checked.
 *
 *     const provider = await startFakeProvider();
 *     provider.script("busy-then-good", { status: 503, body: { error: { message: "busy" } } }, { text: "Hello" });
 */
export async function startFakeProvider({
  apiKey,
  models = [],
  answer: unscripted = () => ({}),
}: FakeProviderOptions = {}): Promise<FakeProvider> {
  const scripts = new Map<string, FakeAnswer[]>();
  const received: Received[] = [];
  const next = (model: string, request: Received): FakeAnswer => {
    const queue = scripts.get(model) ?? [];
    return (queue.length > 1 ? queue.shift() : queue[0]) ?? unscripted(request);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "").replace(/^\/v1/, "");
    const entry: Received = {
      method: request.method ?? "",
      path,
      headers: request.headers,
      body: await readJson(request),
      isAbandoned: false,
    };
    received.push(entry);
    response.on("close", () => (entry.isAbandoned = !response.writableFinished && !response.errored));
    const refuse = (status: number, message: string) =>
      sendWhole(response, status, { error: { message, type: "invalid_request_error", code: status } });
    if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`)
      refuse(401, "Incorrect API key provided");
    else if (entry.method === "GET" && path === "/models") {
      const scripted = [...scripts.keys()].map((id) => ({ id, object: "model", created: 0, owned_by: "fake" }));
      sendWhole(response, 200, { object: "list", data: [...models, ...scripted] });
    } else {
      const call = entry.method === "POST" ? callOf(entry) : null;
      if (call)
        await play(response, { text: `Hello from ${call.model}`, ...next(call.model, entry) }, entry.body, call);
      else refuse(404, `Unknown path ${path}`);
    }
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    requestsFor: (model) => received.filter(({ body }) => body["model"] === model),
    script: (model, ...answers) => void scripts.set(model, [...answers]),
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

const CUT = new Error("cut by the script");

interface Writer {
  whole: (answer: FakeAnswer, model: string) => object;
  events: (answer: FakeAnswer, model: string, body: Record<string, unknown>) => Iterable<string | Uint8Array>;
  contentType: string;
}

const SSE = "text/event-stream";

/** A request to a model. */
interface Call {
  writer: Writer;
  model: string;
  isStreamed: boolean;
}

const GENERATE_CONTENT: Writer = { whole: wholeGenerated, events: generatedEvents, contentType: SSE };
const CONVERSE: Writer = {
  whole: wholeConverse,
  events: converseEvents,
  contentType: "application/vnd.amazon.eventstream",
};

/** Reads protocol, model and mode from the path if it contains them, otherwise from the body. */
function callOf({ path, body }: Received): Call | null {
  const inPath =
    /^\/(?:v1beta\/)?models\/(?<model>[^:]+):(?:generateContent$|(?<stream>streamGenerateContent)\?alt=sse$)/.exec(
      path,
    ) ?? /^\/model\/(?<model>[^/]+)\/converse(?<stream>-stream)?$/.exec(path);
  if (inPath) {
    const { model = "", stream } = inPath.groups ?? {};
    const writer = path.startsWith("/model/") ? CONVERSE : GENERATE_CONTENT;
    return { writer, model: decodeURIComponent(model), isStreamed: stream !== undefined };
  }
  const writer = PROTOCOLS[path];
  return writer ? { writer, model: String(body["model"]), isStreamed: body["stream"] === true } : null;
}

/** Response writers by path. */
const PROTOCOLS: Readonly<Record<string, Writer>> = {
  "/chat/completions": { whole: wholeChat, events: chatEvents, contentType: SSE },
  "/responses": { whole: wholeResponse, events: responsesEvents, contentType: SSE },
  "/messages": { whole: wholeMessage, events: messageEvents, contentType: SSE },
};

async function play(
  response: ServerResponse,
  answer: FakeAnswer,
  body: Record<string, unknown>,
  { writer, model, isStreamed: wantsStream }: Call,
): Promise<void> {
  const { firstByteMs, status, cutAfter, garbage, headers } = answer;
  if (firstByteMs) await timers.setTimeout(firstByteMs);
  const isStreamed = wantsStream !== (answer.ignoresStream ?? false);
  if (status && status !== 200)
    sendWhole(response, status, answer.body ?? { error: { message: `Status ${status}` } }, headers);
  else if (isStreamed) await sendEvents(response, writer.events(answer, model, body), answer, writer.contentType);
  else if (garbage) sendWhole(response, 200, garbage.words, headers);
  else if (cutAfter === undefined) sendWhole(response, 200, writer.whole(answer, model), headers);
  else sendHalf(response, JSON.stringify(writer.whole(answer, model)));
}

function sendWhole(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

function sendHalf(response: ServerResponse, text: string): void {
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.write(text.slice(0, text.length / 2), () => response.destroy(CUT));
}

async function sendEvents(
  response: ServerResponse,
  events: Iterable<string | Uint8Array>,
  { eventMs, cutAfter, garbage, headers }: FakeAnswer,
  contentType: string,
): Promise<void> {
  response.writeHead(200, { "content-type": contentType, ...headers });
  response.flushHeaders();
  let count = 0;
  for (const event of events) {
    if (count === cutAfter) response.destroy(CUT);
    if (response.destroyed) return;
    if (count === garbage?.after) break;
    if (eventMs) await timers.setTimeout(eventMs);
    if (!response.write(event)) await Promise.race([once(response, "drain"), once(response, "close")]);
    count++;
    if (count % 100 === 0) await timers.setImmediate();
  }
  response.end(garbage?.words);
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const part of request.setEncoding("utf8")) text += String(part);
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
}
