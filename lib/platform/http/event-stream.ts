/** A response body generated while it is read; a disconnect stops it. */
export class StreamedAnswer {
  constructor(
    readonly body: ReadableStream<Uint8Array>,
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}

/** A response of encoded server-sent events. */
export class EventStream extends StreamedAnswer {
  constructor(body: ReadableStream<Uint8Array>) {
    super(body, { "content-type": "text/event-stream; charset=utf-8" });
  }
}
