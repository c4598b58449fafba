import { asObject, jsonIn } from "../../platform/json-values";

/** Formats a server-sent event with JSON data, with a name if the protocol uses event names. */
export const sseEvent = (data: unknown, name?: string): string =>
  `${name ? `event: ${name}\n` : ""}data: ${JSON.stringify(data)}\n\n`;

/** End marker of a chat completions stream. */
export const SSE_DONE = "data: [DONE]\n\n";

/** Names of events, and types of their data, that only keep a connection open. */
const KEEP_ALIVES: ReadonlySet<unknown> = new Set(["ping", "heartbeat", "keepalive", "keep-alive", "keep_alive"]);

/** Data without content. */
const EMPTY: ReadonlySet<string> = new Set(["", "{}", "null"]);

/**
 * Returns the data of an upstream's event for its reader; null for events that only keep the connection open. An error
 * event may be recognizable by its name alone.
 */
export function eventData(name: string | undefined, data: string): string | null {
  const text = data.trim();
  if (EMPTY.has(text)) return null;
  if (KEEP_ALIVES.has(name) && !isTypedPing(text)) return null;
  if (name !== "error") return text;
  const value = jsonIn(text);
  const error = asObject(value);
  if (error && (error["error"] || error["type"] === "error" || "response" in error)) return text;
  return JSON.stringify({ error: error ?? { message: typeof value === "string" ? value : text } });
}

/** True for the ping of Messages, which is an event of that protocol. */
const isTypedPing = (text: string): boolean => asObject(jsonIn(text))?.["type"] === "ping";

/** True for an event whose data only keeps the connection open. */
export const isKeepAlive = (event: unknown): boolean => KEEP_ALIVES.has(asObject(event)?.["type"]);
