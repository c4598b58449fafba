import type { ResponseChunk } from "../engine/protocols/response-chunk";
import { readStream, readWhole } from "../gateway/upstream/response-client";
import { isEventStream } from "../platform/outbound/is-event-stream";
import type { UpstreamProtocol } from "../engine/protocols/vocabulary";

/** Reads an upstream's response, streamed or not, like the gateway. */
export async function* readResponse(
  response: Response,
  protocol: UpstreamProtocol,
): AsyncGenerator<ResponseChunk[], void> {
  if (isEventStream(response.headers)) yield* readStream(response, protocol);
  else yield await readWhole(response, protocol);
}
