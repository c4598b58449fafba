/** Formats a server-sent event with JSON data, with a name if the protocol uses event names. */
export const sseEvent = (data: unknown, name?: string): string =>
  `${name ? `event: ${name}\n` : ""}data: ${JSON.stringify(data)}\n\n`;

/** End marker of a chat completions stream. */
export const SSE_DONE = "data: [DONE]\n\n";

/** Creates a body from events, generated on demand; `abandon` is called when the reader stops early. */
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
