/** A service's answer that is made while it is read: whoever stops reading stops the work. */
export class StreamedAnswer {
  constructor(
    readonly body: ReadableStream<Uint8Array>,
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}

/** A service's answer as server-sent events, already encoded. */
export class EventStream extends StreamedAnswer {
  constructor(body: ReadableStream<Uint8Array>) {
    super(body, { "content-type": "text/event-stream; charset=utf-8" });
  }
}
