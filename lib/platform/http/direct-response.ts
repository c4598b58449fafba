/** A whole text, or parts in the order in which they are sent. */
export type Content = string | AsyncIterable<string | Uint8Array>;

/**
 * A response whose `content` is sent or read as it is: a web stream is created only for readers of `body`, since it costs
 * more than most operations (docs/decisions/0002-operations-are-plain-functions.md).
 */
export class DirectResponse extends Response {
  #standard: Response | undefined;

  constructor(
    readonly content: Content,
    init: ResponseInit,
  ) {
    super(null, init);
  }

  get #whole(): Response {
    return (this.#standard ??= new Response(streamOf(this.content)));
  }

  override get body() {
    return this.#whole.body;
  }
  override get bodyUsed() {
    return this.#whole.bodyUsed;
  }
  override text() {
    return this.#whole.text();
  }
  override json() {
    return this.#whole.json();
  }
  override arrayBuffer() {
    return this.#whole.arrayBuffer();
  }
}

/** Returns the parts of a response's content; ending the iteration early ends them. */
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

/** Converts content to a web stream that asks for parts as they are read. */
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
