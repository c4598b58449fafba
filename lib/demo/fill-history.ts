import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { rollUp } from "../features/analytics/rollup-service";
import { openPostgres } from "../platform/database/open";
import { runningUrl } from "../platform/database/embedded/open";
import type { Database } from "../platform/database/transaction";
import { env, parseEnv } from "../platform/env";
import { backdate } from "./backdate";
import { plannedRequests } from "./history";
import type { Organization } from "./organization";
import { recordHistory } from "./record-history";

const DAY_MS = 24 * 60 * 60_000;
const DAYS = 30;
/** Time after the last charge in which budgets are checked, before the database is closed. */
const ALERT_CHECK_MS = 2_000;
const FILTER_TIMEOUT_MS = 120_000;
/** Days before the first request in which the organization was set up. */
const SETUP_DAYS = 21;

interface Times {
  seed: number;
  /** When this run began, and the end of the history. */
  began: Date;
  now: Date;
}

/**
 * Records the requests of the last 30 days, or since the last run, in the database of the install. Returns their
 * number; null if the database of this folder or environment isn't that of the install.
 */
export async function fillHistory(
  organization: Organization,
  { seed, began, now }: Times,
  progress: (recorded: number) => void,
): Promise<number | null> {
  const { databaseUrl, dataDir } = parseEnv(process.env);
  const url = databaseUrl ?? (await runningUrl(dataDir));
  if (url === null) return null;
  useBuild();
  const database = await openPostgres(withFastCommits(url));
  try {
    const db = database.client;
    const hashes = new Map([...organization.keys].map(([name, { hash }]) => [name, hash]));
    const [first] = hashes.values();
    const key = await db.key.findUnique({ where: { hash: first ?? "" }, select: { organizationId: true } });
    if (!key) return null;
    const start = new Date(now.getTime() - DAYS * DAY_MS);
    const setUp = { from: new Date(start.getTime() - SETUP_DAYS * DAY_MS), to: start };
    await backdate(db, key.organizationId, { from: began, to: now }, setUp);
    const last = await lastRecorded(db, [...hashes.values()]);
    const from = last && last > start ? new Date(last.getTime() + 1) : start;
    // Contents are stored in the database, wherever the server stores them. A busy machine must not block requests of the past.
    const settings = { ...env(), contentStore: "database" as const, filterTimeoutMs: FILTER_TIMEOUT_MS };
    const recorded = await recordHistory({ db, settings, hashes }, plannedRequests(seed, from, now), progress);
    await rollUp(db);
    await sleep(ALERT_CHECK_MS);
    return recorded;
  } finally {
    await database.close();
  }
}

/** Sample data may be lost by a crash of the database, so commits don't wait for the disk. */
function withFastCommits(url: string): string {
  const address = new URL(url);
  address.searchParams.set("options", "-c synchronous_commit=off");
  return address.href;
}

const THREAD = "scan-worker.mjs";

/** Uses a build's code of the threads that scan long texts. */
function useBuild(): void {
  const root = ".next";
  const builds = existsSync(root) ? readdirSync(root).map((name) => join(root, name)) : [];
  const found = [root, ...builds].find((folder) => existsSync(join(folder, THREAD)));
  if (found) process.env["SIGNALBOX_BUILD"] ??= found;
}

/** Request ids of recorded history begin so. */
const PREFIX = "req-demo-";

async function lastRecorded(db: Database, hashes: readonly string[]): Promise<Date | null> {
  const found = await db.generation.findFirst({
    where: { key: { hash: { in: [...hashes] } }, requestId: { startsWith: PREFIX } },
    orderBy: { createdAt: "desc" },
    select: { createdAt: true },
  });
  return found?.createdAt ?? null;
}
