import "server-only";
import { honouredBatches } from "../engine/protocols/honour";
import { honourOf, upstreamRequest } from "../engine/protocols/upstream-request";
import type { Context } from "../platform/context";
import { failWithoutResponse } from "./response-errors-service";
import { setWarnings, type AcceptedRequest } from "./decide-and-reserve-service";
import type { Send } from "./presentation";
import type { GenerationTrace } from "./record/generation-trace-service";
import { callUpstream } from "./upstream/endpoint-client";
import { forwardedHeaders } from "./upstream/forwarded-headers";
import { firstResponse, type CallEndpoint, type FirstResponse } from "./upstream/upstream-client";

/** Calls the candidates in turn until one starts to respond. Throws a failure that has been recorded. */
export async function callCandidates(
  context: Context,
  trace: GenerationTrace,
  { verdict, candidates, recorder, guards, signal, reading }: AcceptedRequest,
  send: Send | undefined,
): Promise<FirstResponse> {
  const { settings, headers, now, client } = context;
  const { request, connections } = verdict;
  const exchange = callUpstream(connections, settings, now, trace);
  const callOne: CallEndpoint = send
    ? (...call) => send(exchange, ...call)
    : (endpoint, until, onSent) => {
        const forwarded = forwardedHeaders(request.protocol, endpoint, client);
        return exchange(endpoint, { ...upstreamRequest(request, endpoint), headers: forwarded }, until, onSent);
      };
  // A complete response is billed anyway, so its usage is worth waiting for; for streams, see `StreamReading`.
  const timeouts = request.body.stream ? { ...settings.upstreamTimeouts, abandoned: 0 } : settings.upstreamTimeouts;
  const ends = { disconnected: reading?.signal ?? signal, ended: recorder.ending };
  const answer = await firstResponse(candidates, callOne, ends, timeouts).catch((error: unknown) =>
    failWithoutResponse(recorder, error, guards),
  );
  trace.answered();
  setWarnings(headers, verdict, answer.endpoint);
  return { ...answer, chunks: honouredBatches(answer.chunks, honourOf(request, answer.endpoint)) };
}
