/** A service's answer as server-sent events, already encoded. */
export class EventStream {
  constructor(readonly body: ReadableStream<Uint8Array>) {}
}
