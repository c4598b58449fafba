import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { upstreamServer } from "./upstream-server";

interface Request {
  model: string;
  stream: boolean;
  n?: number;
  messages: { content: string }[];
}

export interface Bill {
  prompt_tokens: number;
  completion_tokens: number;
}

const WORDS = ["The ", "answer ", "is ", "forty", "-two", "."];

/**
 * An upstream with its own ledger. It bills the prompt of every request it works on, and every word it generates, even
 * if nobody reads them. The suffix of a model's name, after a colon, determines the outcome.
 */
export class BillingUpstream {
  readonly bills: Bill[] = [];
  /** Resolves when the upstream has begun to work on a request or to respond. */
  readonly working: Promise<void>;
  #begin: () => void = () => undefined;
  url = "";

  constructor(readonly countTokens: (text: string) => number) {
    this.working = new Promise((resolve) => void (this.#begin = resolve));
  }

  static async start(countTokens: (text: string) => number): Promise<BillingUpstream> {
    const upstream = new BillingUpstream(countTokens);
    const { url } = await upstreamServer((request, response) => void upstream.#answer(request, response));
    upstream.url = url;
    return upstream;
  }

  #bill({ model, messages }: Request, words: readonly string[], choices = 1): Bill {
    const bill = {
      prompt_tokens: messages.reduce(
        (sum, { content }) => sum + this.countTokens(content) + 4,
        model === "templated" ? 60 : 3,
      ),
      completion_tokens: choices * this.countTokens(words.join("")),
    };
    this.bills.push(bill);
    return bill;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = JSON.parse(Buffer.concat(chunks).toString()) as Request;
    const body = { ...sent, model: sent.model.replace(/^.*:/, "") };
    const closed = once(response, "close");
    if (body.model === "busy") return void response.writeHead(503).end('{"error":{"message":"busy"}}');
    if (body.model === "silent") {
      this.#begin();
      this.#bill(body, []);
      return void (await closed);
    }
    if (!body.stream) {
      this.#begin();
      if (body.model === "slow") await sleep(100);
      const usage = this.#bill(body, WORDS, body.n);
      const choices = Array.from({ length: body.n ?? 1 }, (_, index) => ({
        index,
        message: { role: "assistant", content: WORDS.join("") },
        finish_reason: "stop",
      }));
      response.setHeader("content-type", "application/json");
      const text = JSON.stringify({ id: "1", object: "chat.completion", choices, usage });
      return void response.end(body.model === "torn" ? text.slice(0, -20) : text);
    }
    await this.#stream(body, response, closed);
  }

  async #stream(body: Request, response: ServerResponse, closed: Promise<unknown>): Promise<void> {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (event: object) => response.write(`data: ${JSON.stringify(event)}\n\n`);
    const words = body.model === "cut" || body.model === "open" ? WORDS.slice(0, 3) : WORDS;
    for (const content of words) {
      send({ id: "1", object: "chat.completion.chunk", choices: [{ index: 0, delta: { content } }] });
      await sleep(2);
    }
    const usage = this.#bill(body, words);
    this.#begin();
    if (body.model === "cut") return void response.destroy();
    if (body.model === "open") return void (await closed);
    send({ id: "1", object: "chat.completion.chunk", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
    if (body.model !== "unreported") send({ id: "1", object: "chat.completion.chunk", choices: [], usage });
    response.end("data: [DONE]\n\n");
  }
}
