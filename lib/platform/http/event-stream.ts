import { streamOf, type Content } from "./direct-response";

/** A response body generated while it is read; a disconnect stops it. */
export class StreamedAnswer {
  constructor(
    readonly content: Content,
    readonly headers: Readonly<Record<string, string>>,
  ) {}

  /** A new web stream of the content, for a reader in this process. */
  get body(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return streamOf(this.content);
  }
}

/** A response of encoded server-sent events; `abandon` is called when the reader stops early. */
export class EventStream extends StreamedAnswer {
  declare readonly content: AsyncIterable<string, void>;

  constructor(events: AsyncGenerator<string, void>, abandon: () => void) {
    super(
      { [Symbol.asyncIterator]: () => abandonable(events, abandon) },
      {
        "content-type": "text/event-stream; charset=utf-8",
      },
    );
  }
}

function abandonable(events: AsyncGenerator<string, void>, abandon: () => void): AsyncIterator<string, void> {
  let hasStarted = false;
  const next = () => {
    hasStarted = true;
    return events.next();
  };
  return {
    next,
    return: async () => {
      abandon();
      // A generator that hasn't started would end without recording anything.
      if (!hasStarted) await next();
      return events.return();
    },
  };
}
