/** One server-sent event whose data is JSON, named when the protocol names its events. */
export const sseEvent = (data: unknown, name?: string): string =>
  `${name ? `event: ${name}\n` : ""}data: ${JSON.stringify(data)}\n\n`;

/** The end of a chat completions stream. */
export const SSE_DONE = "data: [DONE]\n\n";

/** Events as a body, made as fast as they are read; `abandon` runs when the reader goes away before the end. */
export function sseBody(
  events: AsyncGenerator<string, void>,
  abandon: () => void = () => undefined,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await events.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      abandon();
      await events.return();
    },
  });
}
