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

/** A text that the server sends while a stream is silent (docs/decisions/0090-keep-alives-of-streams.md). */
export interface KeepAlive {
  text: string;
  /** Length of the silence in milliseconds; it may last up to twice as long. */
  ms: number;
}

/** A comment, which every parser of server-sent events ignores. */
export const KEEP_ALIVE: KeepAlive = { text: ": keep-alive\n\n", ms: 10_000 };

/** A response of encoded server-sent events; `abandon` is called when the reader stops early. */
export class EventStream extends StreamedAnswer {
  declare readonly content: AsyncIterable<string, void> & { keepAlive: KeepAlive };

  constructor(events: AsyncGenerator<string, void>, abandon: () => void, keepAlive: KeepAlive = KEEP_ALIVE) {
    super(
      { [Symbol.asyncIterator]: () => abandonable(events, abandon), keepAlive },
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
      // A generator that hasn't started would end without a record.
      if (!hasStarted) await next();
      return events.return();
    },
  };
}
