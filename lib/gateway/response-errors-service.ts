import "server-only";
import { clientDisconnected } from "../engine/decision/denial";
import type { Endpoint } from "../engine/endpoint";
import type { Report } from "../engine/protocols/observe";
import {
  clientHints,
  describeFailures,
  plainMessage,
  type Failure,
  type UpstreamError,
} from "../engine/protocols/upstream-failure";
import { ApiError } from "../platform/api-error";
import type { ResponseGuards } from "./response-guards-service";
import type { ResponseFilter } from "./filters/response-filter-service";
import type { GenerationRecorder } from "./record/generation-recorder-service";
import { NoResponse } from "./upstream/upstream-client";

/** Records that no endpoint responded, or that the client disconnected, then throws. */
export async function failWithoutResponse(
  recorder: GenerationRecorder,
  error: unknown,
  guards: ResponseGuards,
): Promise<never> {
  if (!(error instanceof NoResponse)) {
    await recorder.abandon();
    throw error;
  }
  await recorder.recordNoResponse(error, guards);
  if (error.isAbandoned) throw clientDisconnected();
  throw await providerError(
    error.failures,
    recorder.metadata(error.failures.at(-1)?.endpoint ?? null, error.attempts, guards),
    guards.filter,
  );
}

/**
 * Adds the failure to the report of a stream, in the form that a failure before the first content has: the upstream's
 * code, type and text, after the response filters.
 */
export const withFailure =
  (report: Report, endpoint: Endpoint, filter: ResponseFilter | null): Report =>
  async (end, ...answer) => {
    const receipt = await report(end, ...answer);
    if (end.status !== "failed" || receipt.unrecorded) return receipt;
    return { ...receipt, failure: await providerError([{ endpoint, failure: end.failure }], null, filter) };
  };

type UpstreamText = Partial<UpstreamError> & { raw: string | null; message: string };

/** Returns the error for a caller. Response filters apply to the upstream texts in it. */
export async function providerError(
  failures: readonly Failure[],
  metadata: object | null,
  filter: ResponseFilter | null,
): Promise<ApiError> {
  const { status, message, provider_name, raw, previous_errors } = describeFailures(failures);
  const { retryAfter, upstream } = clientHints(failures);
  const said: UpstreamText[] = [
    { raw, message, ...upstream },
    ...previous_errors.map((error) => ({ raw: error.raw, message: error.message })),
  ];
  const [own, ...others] = filter ? await filter.quoted(said) : said;
  return new ApiError(
    status,
    own?.message ?? plainMessage(status),
    {
      ...(own?.type && { type: own.type }),
      ...(own?.param && { param: own.param }),
      ...(own?.code && { code: own.code }),
      provider_name,
      ...(own?.code && { provider_code: own.code }),
      raw: own?.raw ?? null,
      previous_errors: previous_errors.map((error, index) => ({
        ...error,
        ...(others[index] ?? { raw: null, message: plainMessage(502) }),
      })),
      service_metadata: metadata,
    },
    retryAfter === null ? undefined : { "retry-after": retryAfter },
  );
}
