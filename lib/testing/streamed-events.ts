import { EventStream } from "../platform/http/event-stream";

/** Reads a streamed response to its end, and returns the data of its events. */
export async function streamedEvents(answer: unknown): Promise<Record<string, unknown>[]> {
  if (!(answer instanceof EventStream)) throw new Error("isn't a stream");
  return streamedData(await new Response(answer.body).text());
}

/** Returns the data of the events in a stream's text. */
export const streamedData = (text: string): Record<string, unknown>[] =>
  [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = ""]) => JSON.parse(json) as Record<string, unknown>);
