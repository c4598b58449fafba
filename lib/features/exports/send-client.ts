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

/** Sends generations to a destination. `name` is that of the file; sending the same again has the same result. Returns null, or the reason of a failure. */
export async function send(
  settings: Env,
  row: Row,
  name: string,
  generations: readonly ExportedGeneration[],
  signal: AbortSignal,
): Promise<string | null> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
  try {
    return await (row.kind === "otlp" ? sendSignals : putFile)(settings, row, name, generations, limit);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OutboundFailure || error instanceof S3Failure) return error.message;
    if (limit.aborted) return `No answer within ${DEADLINE_MS / 1000} s`;
    throw error;
  }
}

type Send = (
  settings: Env,
  row: Row,
  name: string,
  generations: readonly ExportedGeneration[],
  signal: AbortSignal,
) => Promise<string | null>;

/** Sends each signal in turn. If one fails, all are sent again. */
const sendSignals: Send = async (settings, row, _name, generations, signal) => {
  for (const each of otlpTarget(row).signals) {
    const error = await sendSignal(settings, row, each, generations, signal);
    if (error !== null) return error;
  }
  return null;
};

async function sendSignal(
  settings: Env,
  row: Row,
  sent: ExportSignal,
  generations: readonly ExportedGeneration[],
  signal: AbortSignal,
): Promise<string | null> {
  const { headers } = openSecret(settings, row);
  const response = await outboundFetch({
    method: "POST",
    url: endpointOf(otlpTarget(row).url, sent),
    headers: { ...headers, "content-type": "application/json", "user-agent": "Signalbox" },
    body: otlpBody(sent, row.organizationId, generations),
    allowPrivate: settings.allowPrivateUpstreams,
    timeouts: TIMEOUTS,
    signal,
  });
  const answer = await readStart(response, MOST_ANSWER_BYTES);
  return response.status < 300 ? rejection(answer) : `The receiver returned ${response.status} for ${sent}`;
}

/** Returns the reason that a receiver gives for spans or log records that it didn't accept. */
function rejection(answer: string): string | null {
  const [, noun, count] = /"rejected(Spans|LogRecords)"\s*:\s*"?(\d+)/.exec(answer) ?? [];
  return Number(count ?? 0) > 0 ? `The receiver rejected ${count} ${noun === "Spans" ? "spans" : "log records"}` : null;
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
    settings.allowPrivateUpstreams,
  );
  const lines = generations.map((generation) => `${JSON.stringify(generation)}\n`).join("");
  await service.put(`${prefix}${name}.jsonl.gz`, await compressed(lines), "application/gzip", signal);
  return null;
};
