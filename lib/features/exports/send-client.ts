import "server-only";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Env } from "../../platform/env";
import { readStart } from "../../platform/outbound/bounded-body";
import { OutboundFailure } from "../../platform/outbound/failure";
import { outboundFetch } from "../../platform/outbound/fetch";
import { Bucket, S3Failure } from "../../platform/outbound/s3";
import { otlpBody, type ExportedGeneration } from "./otlp";
import { openSecret, otlpTarget, type DestinationRow as Row, type S3Target } from "./rows";
import { endpointOf, type ExportSignal } from "./vocabulary";

const DEADLINE_MS = 30_000;
const TIMEOUTS = { connect: 5_000, firstByte: DEADLINE_MS, idle: DEADLINE_MS };
const MOST_ANSWER_BYTES = 16 * 1024;

const compressed = promisify(gzip);

/** Statuses of rejected content. Sending the same content again has the same result. */
const CONTENT_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);

interface Answered {
  /** `rejected` if the receiver rejected the request because of its content. */
  result: "accepted" | "rejected";
  /** Number of spans and log records that the receiver rejected. */
  rejected: number;
  reason: string | null;
}
export type Outcome = Answered | { result: "failed"; reason: string };

const ACCEPTED: Answered = { result: "accepted", rejected: 0, reason: null };

type Send = (
  settings: Env,
  row: Row,
  name: string,
  generations: readonly ExportedGeneration[],
  signal: AbortSignal,
) => Promise<Outcome>;

/** Sends generations to a destination; `name` is the file name. Idempotent. */
export const send: Send = async (settings, row, name, generations, signal) => {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
  try {
    return await (row.kind === "otlp" ? sendSignals : putFile)(settings, row, name, generations, limit);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OutboundFailure || error instanceof S3Failure) return failed(error.message);
    if (limit.aborted) return failed(`No response within ${DEADLINE_MS / 1000} s`);
    throw error;
  }
};

const failed = (reason: string): Outcome => ({ result: "failed", reason });

/**
 * Sends each signal in turn. If one fails or a batch is rejected, all are sent again. A single generation that is
 * rejected for one signal isn't sent again, so the other signal is sent as well. It counts as rejected only if the
 * receiver accepts a request without generations; otherwise the configuration is the cause, which is a failure.
 */
const sendSignals: Send = async (settings, row, _name, generations, signal) => {
  const answered: Answered[] = [];
  for (const each of otlpTarget(row).signals) {
    const outcome = await sendSignal(settings, row, each, generations, signal);
    if (outcome.result === "failed") return outcome;
    if (outcome.result === "rejected") {
      if (generations.length !== 1) return outcome;
      const empty = await sendSignal(settings, row, each, [], signal);
      if (empty.result === "failed") return empty;
      if (empty.result === "rejected") return failed(`${empty.reason}, with and without generations`);
    }
    answered.push(outcome);
  }
  const reasons = answered.flatMap(({ reason }) => reason ?? []);
  return {
    result: answered.some(({ result }) => result === "rejected") ? "rejected" : "accepted",
    rejected: answered.reduce((sum, { rejected }) => sum + rejected, 0),
    reason: reasons.length > 0 ? reasons.join(". ") : null,
  };
};

async function sendSignal(
  settings: Env,
  row: Row,
  sent: ExportSignal,
  generations: readonly ExportedGeneration[],
  signal: AbortSignal,
): Promise<Outcome> {
  const { headers } = openSecret(settings, row);
  const response = await outboundFetch({
    peer: "receiver",
    method: "POST",
    url: endpointOf(otlpTarget(row).url, sent),
    headers: { ...headers, "content-type": "application/json", "user-agent": "Signalbox" },
    body: otlpBody(sent, row.organizationId, generations),
    allowPrivate: settings.allowPrivateUpstreams,
    timeouts: TIMEOUTS,
    signal,
  });
  const answer = await readStart(response, MOST_ANSWER_BYTES);
  if (response.status < 300) return partial(answer, generations.length);
  const reason = `The receiver returned ${response.status} for ${sent}`;
  return CONTENT_STATUSES.has(response.status)
    ? { result: "rejected", rejected: generations.length, reason }
    : failed(reason);
}

/**
 * Returns the outcome of an accepted request in which some spans or log records may be rejected. OTLP forbids sending
 * those again.
 */
function partial(answer: string, sent: number): Answered {
  const [, noun, count] = /"rejected(Spans|LogRecords)"\s*:\s*"?(\d+)/.exec(answer) ?? [];
  const rejected = Math.min(Number(count ?? 0), sent);
  if (rejected === 0) return ACCEPTED;
  return {
    result: "accepted",
    rejected,
    reason: `The receiver rejected ${rejected} of ${sent} ${noun === "Spans" ? "spans" : "log records"}`,
  };
}

const putFile: Send = async (settings, row, name, generations, signal) => {
  const { endpoint, region, bucket, path_style, prefix, access_key_id } = row.target as unknown as S3Target;
  const { secret_access_key = "" } = openSecret(settings, row);
  const service = new Bucket(
    {
      endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
      region,
      bucket,
      pathStyle: path_style,
      writeTimeoutMs: DEADLINE_MS,
      accessKeyId: access_key_id,
      secretAccessKey: secret_access_key,
    },
    { allowPrivate: settings.allowPrivateUpstreams },
  );
  const lines = generations.map((generation) => `${JSON.stringify(generation)}\n`).join("");
  await service.put(`${prefix}${name}.jsonl.gz`, await compressed(lines), "application/gzip", signal);
  return ACCEPTED;
};
