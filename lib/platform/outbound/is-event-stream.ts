const hasType = (headers: Headers, type: string): boolean => headers.get("content-type")?.startsWith(type) ?? false;

/** True for headers of AWS's binary event streams. */
export const isBinaryEventStream = (headers: Headers): boolean =>
  hasType(headers, "application/vnd.amazon.eventstream");

/** True for headers of server-sent events, or of AWS's binary event streams. */
export const isEventStream = (headers: Headers): boolean =>
  hasType(headers, "text/event-stream") || isBinaryEventStream(headers);
