import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { compareRollups, rollUp } from "../features/analytics/rollup-service";
import { keepLog } from "../features/retention/partitions-service";
import { purgeExpired } from "../features/retention/service";
import type { OpenDatabase } from "../platform/database/open";
import { partitionPast, partitionsOf } from "../platform/database/partitions";
import { createWorkspace } from "../testing/factories";
import { queryServer, startFailoverPair, type FailoverPair } from "../testing/failover-pair";
import { NOW, testWorld, type World } from "../testing/test-context";

const DAY_MS = 24 * 60 * 60_000;
const GENERATIONS = 30_000;
const SPAN_DAYS = 120;
/** Days for which two workspaces keep generations. Contents are kept for a third of that time. */
const KEPT_DAYS = [30, 60] as const;
const contentDays = (days: number) => days / 3;

let pair: FailoverPair;
let world: World;
let workspaces: readonly string[];

beforeEach(async () => {
  vi.stubEnv("SIGNALBOX_SECRET_KEY", Buffer.alloc(32, 7).toString("base64"));
  vi.stubEnv("SIGNALBOX_LOG_LEVEL", "silent");
  pair = await startFailoverPair();
  const [{ client, query }] = pair.opened;
  world = await testWorld({ db: client });
  workspaces = [world.workspaceId, await createWorkspace(world)];
  await partitionPast(query, new Date(NOW.getTime() - SPAN_DAYS * DAY_MS));
  await client.$executeRaw`
    INSERT INTO generations (created_at, id, organization_id, workspace_id, status, api_type, requested_model, model, streamed, attempts, request_id, content_stored)
    SELECT at, 'gen-' || floor(extract(epoch FROM at))::bigint || '-' || lpad(n::text, 20, '0'), ${world.organizationId}::uuid,
      CASE WHEN n % 10 = 0 THEN ${workspaces[1]}::uuid ELSE ${workspaces[0]}::uuid END, 'succeeded', 'responses', 'm', 'm', false, '[]', 'r', true
    FROM (SELECT n, ${NOW}::timestamptz - n * ${SPAN_DAYS}::int * interval '1 day' / ${GENERATIONS}::int AS at FROM generate_series(1, ${GENERATIONS}::int) n) crowd`;
  await client.$executeRaw`
    INSERT INTO generation_contents (created_at, generation_id, input, search_text) SELECT created_at, id, '{}', '' FROM generations`;
  for (const [index, id] of workspaces.entries()) {
    const days = KEPT_DAYS[index] ?? 0;
    const retention = { metadataRetentionDays: days, contentRetentionDays: contentDays(days) };
    await client.workspace.update({ where: { id }, data: retention });
  }
});
afterEach(() => pair.stop());

/** Generations with a multiple of some days less of age than a workspace keeps. */
const kept = (table: string, days: (of: number) => number) => `
  SELECT ${table}.id FROM (SELECT g.created_at, g.id, g.workspace_id FROM generations g) ${table}
  WHERE ${workspaces.map((id, index) => `(workspace_id = '${id}' AND created_at >= '${new Date(NOW.getTime() - days(KEPT_DAYS[index] ?? 0) * DAY_MS).toISOString()}')`).join(" OR ")} ORDER BY 1`;

const STEPS = {
  "add up": "SELECT coalesce(sum(requests), 0) > 0 AS begun FROM usage_hours",
  delete: `SELECT count(*) < ${GENERATIONS} AS begun FROM generations`,
};

it.each(Object.entries(STEPS))(
  "adds up each generation once and deletes what is expired and nothing else, although the primary is killed while two processes %s",
  async (_step, begun) => {
    const { opened, primary, standby } = pair;
    const generations = await queryServer(
      primary,
      kept("g", (days) => days),
    );
    const contents = await queryServer(primary, kept("g", contentDays));
    expect([generations.length, contents.length].every((count) => count > 0 && count < GENERATIONS)).toBe(true);

    let isOver = false as boolean;
    let runs = 0;
    const failures: unknown[] = [];
    const work = async ({ client, query }: OpenDatabase) => {
      while (!isOver) {
        try {
          await rollUp(client, undefined, 1_000);
          await keepLog(query, NOW);
          await purgeExpired(client, NOW);
          runs += 1;
        } catch (error) {
          failures.push(error);
          await sleep(20);
        }
      }
    };
    const hasBegun = async () => (await queryServer<{ begun: boolean }>(primary, begun))[0]?.begun;
    const processes = opened.map(work);
    await vi.waitUntil(hasBegun, { timeout: 200_000, interval: 1 });
    await pair.failOver();
    const before = runs;
    await vi.waitUntil(() => runs >= before + 4, { timeout: 200_000, interval: 10 });
    isOver = true;
    await Promise.all(processes);

    expect(failures.length, "the jobs noticed").toBeGreaterThan(0);
    expect(await queryServer(standby, "SELECT id FROM generations ORDER BY 1")).toEqual(generations);
    expect(await queryServer(standby, "SELECT generation_id AS id FROM generation_contents ORDER BY 1")).toEqual(
      contents,
    );
    const [{ client, query }] = opened;
    await rollUp(client);
    const differing = (await compareRollups(client, world.organizationId, NOW)).filter(
      ({ missing, wrong }) => missing + wrong > 0,
    );
    expect(differing).toEqual([]);
    const oldest = new Date(NOW.getTime() - KEPT_DAYS[1] * DAY_MS);
    expect((await partitionsOf(query)).filter(({ end, filled }) => end && end < oldest && filled.length > 0)).toEqual(
      [],
    );
  },
);
