// llama.cpp, compiled to WebAssembly, with a model trained on the text of a license, as an OpenAI-compatible upstream
// on loopback. Runs in a separate process because the engine is a browser library and needs browser globals.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker as Thread, type Transferable } from "node:worker_threads";
import { Wllama } from "@wllama/wllama/esm/index.js";
import { z } from "zod";
import { tinyModel } from "./tiny-model";

/** A browser-style worker, created from a script URL and controlled by messages. */
class ScriptWorker {
  onmessage: (event: { data: unknown }) => void = () => undefined;
  onerror: (error: unknown) => void = () => undefined;
  readonly #thread: Promise<Thread>;

  constructor(url: string) {
    this.#thread = this.#start(url);
  }

  async #start(url: string): Promise<Thread> {
    const globals =
      'const { parentPort } = require("node:worker_threads"); let onmessage; const postMessage = (...message) => parentPort.postMessage(...message);';
    const listen = 'parentPort.on("message", (data) => onmessage({ data }));';
    const thread = new Thread(`${globals}${listen}${await (await fetch(url)).text()}`, { eval: true });
    return thread.on("message", (data) => this.onmessage({ data })).on("error", (error) => this.onerror(error));
  }

  postMessage(message: unknown, transfer?: Transferable[]): void {
    void this.#thread.then((thread) => thread.postMessage(message, transfer));
  }

  terminate(): void {
    void this.#thread.then((thread) => thread.terminate());
  }
}
Object.assign(globalThis, {
  Worker: ScriptWorker,
  document: { baseURI: import.meta.url },
  navigator: { userAgent: "" },
});

const Asked = z.object({
  model: z.string(),
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content: z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]).nullish(),
    }),
  ),
  stream: z.boolean().default(false),
  stream_options: z.object({ include_usage: z.boolean().optional() }).nullish(),
  max_tokens: z.int().nullish(),
  max_completion_tokens: z.int().nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
});

const CONTEXT = 2048;
const JSON_TYPE = { "content-type": "application/json" };

const ignore = () => undefined;
const report = (...words: unknown[]) => process.stderr.write(`${words.join(" ")}\n`);

async function loadEngine(): Promise<Wllama> {
  const { resolve } = createRequire(import.meta.url);
  const prose = readFileSync(resolve("typescript/LICENSE.txt"), "utf8");
  const wasm = join(dirname(resolve("@wllama/wllama/esm/index.js")), "single-thread/wllama.wasm");
  const engine = new Wllama(
    { "single-thread/wllama.wasm": pathToFileURL(wasm).href },
    { suppressNativeLog: true, logger: { debug: ignore, log: ignore, warn: ignore, error: report } },
  );
  await engine.loadModel([new Blob([tinyModel(prose)])], { n_ctx: CONTEXT, n_threads: 1 });
  return engine;
}

const engine = await loadEngine();
/** The engine has one context, so responses are serialized. */
let last: Promise<unknown> = Promise.resolve();

const server = createServer((request, response) => {
  last = last
    .then(() => answer(request, response))
    .catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1\n`);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = "";
  for await (const part of request.setEncoding("utf8")) text += String(part);
  const asked = Asked.parse(JSON.parse(text));
  const prompt = asked.messages
    .map(({ content }) =>
      typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("\n"),
    )
    .join("\n");
  const prompt_tokens = (await engine.tokenize(prompt)).length;
  const limit = Math.min(asked.max_completion_tokens ?? asked.max_tokens ?? 256, CONTEXT - prompt_tokens - 1);
  if (limit < 1)
    return void response
      .writeHead(400, JSON_TYPE)
      .end(
        JSON.stringify({ error: { message: `the context holds ${CONTEXT} tokens`, type: "invalid_request_error" } }),
      );

  const head = { id: "chatcmpl-engine", created: Math.floor(Date.now() / 1000), model: asked.model };
  const event = (fields: object) =>
    response.write(`data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", ...fields })}\n\n`);
  const choice = (delta: object, finish_reason: string | null = null) =>
    event({ choices: [{ index: 0, delta, finish_reason }] });
  if (asked.stream) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    choice({ role: "assistant", content: "" });
  }
  const left = new AbortController();
  response.on("close", () => left.abort());
  const decoder = new TextDecoder();
  let completion_tokens = 0;
  let content = "";
  await engine.createCompletion(prompt, {
    nPredict: limit,
    sampling: { temp: asked.temperature ?? 1, top_p: asked.top_p ?? 1, top_k: 0, min_p: 0 },
    abortSignal: left.signal,
    onNewToken: (_token, piece) => {
      completion_tokens += 1;
      const said = decoder.decode(piece, { stream: true });
      content += said;
      if (asked.stream) choice({ content: said });
    },
  });
  const finish_reason = completion_tokens < limit ? "stop" : "length";
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
  if (!asked.stream) {
    const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason }];
    return void response
      .writeHead(200, JSON_TYPE)
      .end(JSON.stringify({ ...head, object: "chat.completion", choices, usage }));
  }
  choice({}, finish_reason);
  if (asked.stream_options?.include_usage) event({ choices: [], usage });
  response.end("data: [DONE]\n\n");
}
