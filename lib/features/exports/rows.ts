import "server-only";
import type { ExportDestination as Row, ExportRun } from "../../../prisma/generated/client";
import type { Env } from "../../platform/env";
import { decrypt, encrypt } from "../../platform/secrets";
import type * as contract from "./contract";
import { DEFAULT_SIGNALS, type ExportSignal } from "./vocabulary";

export type DestinationRow = Row;
export type RunRow = ExportRun;
type ExportDestination = contract.ExportDestination;

const PURPOSE = "export destinations";

export type S3Target = NonNullable<ExportDestination["s3"]>;
export type OtlpTarget = NonNullable<ExportDestination["otlp"]>;

/** Returns the target of an `otlp` destination. Destinations created before logs were supported have no signals. */
export const otlpTarget = ({ target: stored }: Pick<Row, "target">): OtlpTarget => ({
  signals: [...DEFAULT_SIGNALS],
  ...(stored as unknown as Omit<OtlpTarget, "signals"> & { signals?: ExportSignal[] }),
});

/** Secrets that are encrypted at rest: headers of `otlp`, or the secret access key of `s3`. */
export interface Secret {
  headers?: Record<string, string>;
  secret_access_key?: string;
}

type Identity = Pick<Row, "organizationId" | "id">;
const placeOf = ({ organizationId, id }: Identity) => `${organizationId}/${id}`;

export const sealSecret = ({ secretKey }: Env, row: Identity, secret: Secret): string =>
  encrypt(secretKey, PURPOSE, placeOf(row), JSON.stringify(secret));

export const openSecret = ({ secretKey, previousSecretKeys }: Env, row: Identity & { secretCiphertext: string }) =>
  JSON.parse(decrypt([secretKey, ...previousSecretKeys], PURPOSE, placeOf(row), row.secretCiphertext)) as Secret;

/** Returns a destination's name in the audit log. */
export const target = ({ id, name }: Pick<Row, "id" | "name">) => ({ type: "export_destination", id, name });

/** Converts a row to an API object without secrets and progress. */
export function toDestination(row: Row): Omit<ExportDestination, "exported_until" | "oldest_pending_at" | "last_run"> {
  const isOtlp = row.kind === "otlp";
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    content: row.content,
    enabled: row.enabled,
    otlp: isOtlp ? otlpTarget(row) : null,
    s3: isOtlp ? null : (row.target as unknown as S3Target),
    paused_reason: row.pausedReason,
    failing_since: row.failingSince?.toISOString() ?? null,
    next_run_at: row.nextRunAt.toISOString(),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt?.toISOString() ?? null,
  };
}

export const toRun = (row: RunRow): contract.ExportRun => ({
  id: row.id,
  started_at: row.startedAt.toISOString(),
  duration_ms: row.durationMs,
  is_test: row.isTest,
  generations: row.generations,
  error: row.error,
  rejected: row.rejected,
  rejection: row.rejection,
  skipped_generation_id: row.skippedGenerationId,
});
