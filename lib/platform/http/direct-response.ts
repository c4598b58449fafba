import { PlainHeaders } from "./plain-headers";

/** A complete text, or parts in order of sending, with the keep-alive sent between them. */
export type Content = string | (AsyncIterable<string | Uint8Array> & { keepAlive?: { text: string; ms: number } });

/**
 * A response whose `content` is sent or read directly. A standard response and a web stream are created only for readers of `body`,
 * because they cost more than most operations (docs/decisions/0002-operations-are-plain-functions.md).
 */
export class DirectResponse implements Response {
  static {
    // Next sends only instances of Response, whose constructor is expensive.
    Object.setPrototypeOf(this.prototype, Response.prototype);
  }
  readonly status: number;
  readonly headers: Headers;
  readonly statusText = "";
  readonly type = "default";
  readonly url = "";
  readonly redirected = false;
  #standard: Response | undefined;

  constructor(
    readonly content: Content,
    { status = 200, headers = {} }: ResponseInit,
  ) {
    this.status = status;
    this.headers = headers instanceof PlainHeaders ? headers : new Headers(headers);
  }

  get #whole(): Response {
    const { content, status, headers } = this;
    return (this.#standard ??= new Response(streamOf(content), { status, headers }));
  }

  get ok() {
    return this.status >= 200 && this.status <= 299;
  }
  get body() {
    return this.#whole.body;
  }
  get bodyUsed() {
    return this.#whole.bodyUsed;
  }
  text() {
    return this.#whole.text();
  }
  json() {
    return this.#whole.json();
  }
  arrayBuffer() {
    return this.#whole.arrayBuffer();
  }
  blob() {
    return this.#whole.blob();
  }
  bytes() {
    return this.#whole.bytes();
  }
  formData() {
    return this.#whole.formData();
  }
  clone() {
    return this.#whole.clone();
  }
}

/** Returns the parts of a response's content. Ending the iteration early stops them. */
export function partsOf(response: Response): AsyncIterator<string | Uint8Array, unknown> {
  if (response instanceof DirectResponse && typeof response.content !== "string")
    return response.content[Symbol.asyncIterator]();
  const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array> | undefined;
  const done = { done: true as const, value: undefined };
  return {
    next: async () => (reader ? reader.read() : done),
    return: async () => {
      await reader?.cancel();
      return done;
    },
  };
}

/** Converts content to a web stream that requests parts as they are read. */
export function streamOf(content: Content): ReadableStream<Uint8Array<ArrayBuffer>> {
  if (typeof content === "string") return new Blob([content]).stream();
  const parts = content[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      async pull(controller) {
        const part = await parts.next();
        if (part.done) controller.close();
        else if (typeof part.value === "string") controller.enqueue(encoder.encode(part.value));
        else controller.enqueue(part.value as Uint8Array<ArrayBuffer>);
      },
      cancel: async () => {
        await parts.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
