import "server-only";
import { totalmem } from "node:os";
import { performance, type EventLoopUtilization } from "node:perf_hooks";
import type { Database } from "../../platform/database/transaction";
import { logger } from "../../platform/logger";
import { instruments } from "../../platform/metrics/instruments";
import type { EmbeddedLimit } from "./contract";
import { embeddedLimits } from "./embedded-limits";
import { processWide } from "../../platform/process-wide";

const MINUTES = 60;
/** Pages of generations sampled to estimate their number, which takes some milliseconds. */
const SAMPLED_PAGES = 500;

interface Measured {
  loop: EventLoopUtilization;
  /** Busy shares of the last minutes, newest last. */
  busy: readonly number[];
  limits: EmbeddedLimit[];
}

const last = processWide("embedded use", (): { measured: Measured | null } => ({ measured: null }));

/** Last measured limits of the embedded database; empty on PostgreSQL. */
export const lastLimits = (): EmbeddedLimit[] => last().measured?.limits ?? [];

/** Measures the embedded database and its process, for the console, `/metrics` and the log. Called every minute. */
export async function measureEmbedded(db: Database): Promise<void> {
  const before = last().measured;
  const loop = performance.eventLoopUtilization();
  const { utilization } = performance.eventLoopUtilization(loop, before?.loop);
  // The first measurement includes the start, which is busy.
  const busy = before ? [...before.busy, utilization].slice(-MINUTES) : [];
  const limits = embeddedLimits({
    ...(await measureDatabase(db)),
    memoryBytes: process.memoryUsage.rss(),
    memoryAvailableBytes: Math.min(process.constrainedMemory() || Infinity, totalmem()),
    busyShare: Math.max(0, ...busy),
  });
  for (const { name, used, limit, level } of limits) {
    instruments().embeddedLimits.set({ limit: name }, used / limit);
    if (level !== "ok" && level !== before?.limits.find((one) => one.name === name)?.level)
      logger().warn(
        { limit: name, used, most: limit },
        "the embedded database is near its limits, see docs/scaling.md",
      );
  }
  last().measured = { loop, busy, limits };
}

async function measureDatabase(db: Database): Promise<{ sizeBytes: number; generations: number }> {
  const [sizes] = await db.$queryRaw<[{ bytes: number; pages: number }]>`
    SELECT pg_database_size(current_database())::float8 AS bytes,
      (SELECT sum(pg_relation_size(relid)) / current_setting('block_size')::int FROM pg_partition_tree('generations'))::float8 AS pages`;
  const percent = Math.min(100, (100 * SAMPLED_PAGES) / Math.max(1, sizes.pages));
  const [sample] = await db.$queryRaw<[{ rows: number }]>`
    SELECT count(*)::float8 AS rows FROM generations TABLESAMPLE SYSTEM (${percent}::float4)`;
  return { sizeBytes: sizes.bytes, generations: Math.round((sample.rows * 100) / percent) };
}
