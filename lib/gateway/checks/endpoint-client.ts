import "server-only";
import { readResponse, unavailable, type CheckVerdict } from "../../engine/checks/read-response";
import type { EndpointRule } from "../../engine/policy/check-rules";
import type { CheckText } from "../../engine/checks/check-texts";
import type { Env } from "../../platform/env";
import { readWhole } from "../../platform/outbound/bounded-body";
import { OutboundFailure } from "../../platform/outbound/failure";
import { outboundFetch } from "../../platform/outbound/fetch";
import { standardSignal, type Signal } from "../../platform/signal";
import { CHECK_TIMEOUT_MS } from "../../engine/checks/vocabulary";

/** The rule's deadline is the signal. Connections are shared, so they have common limits. */
const TIMEOUTS = { connect: CHECK_TIMEOUT_MS.max, firstByte: CHECK_TIMEOUT_MS.max, idle: CHECK_TIMEOUT_MS.max };
/** A response repeats each text at most once, with escapes and some fields around it. */
const ANSWER_PER_BODY = 2;
const MIN_ANSWER_BYTES = 64 * 1024;

/** Calls a check's endpoint. Returns `unavailable` unless a complete response arrives in time. */
export async function callEndpoint(
  { allowPrivateUpstreams }: Pick<Env, "allowPrivateUpstreams">,
  { url, format, timeoutMs }: Pick<EndpointRule, "url" | "format" | "timeoutMs">,
  { headers, body }: { headers: Readonly<Record<string, string>>; body: string },
  texts: readonly CheckText[],
  signal: Signal,
): Promise<CheckVerdict> {
  try {
    const response = await outboundFetch({
      peer: "endpoint",
      method: "POST",
      url,
      headers: {
        ...headers,
        "content-type": "application/json",
        accept: "application/json",
        "user-agent": "Signalbox",
      },
      body,
      allowPrivate: allowPrivateUpstreams,
      timeouts: TIMEOUTS,
      signal: AbortSignal.any([standardSignal(signal), AbortSignal.timeout(timeoutMs)]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return unavailable(`The endpoint returned status ${response.status}`);
    }
    const answer = await readWhole(response, MIN_ANSWER_BYTES + ANSWER_PER_BODY * Buffer.byteLength(body));
    return readResponse(format, answer, texts);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OutboundFailure) return unavailable(error.message);
    if (error instanceof DOMException && error.name === "TimeoutError")
      return unavailable(`No response within ${timeoutMs / 1000} s`);
    if (error instanceof TypeError) return unavailable("The response isn't valid UTF-8");
    throw error;
  }
}
