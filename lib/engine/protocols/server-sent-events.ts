/** Formats a server-sent event with JSON data, with a name if the protocol uses event names. */
export const sseEvent = (data: unknown, name?: string): string =>
  `${name ? `event: ${name}\n` : ""}data: ${JSON.stringify(data)}\n\n`;

/** End marker of a chat completions stream. */
export const SSE_DONE = "data: [DONE]\n\n";
