import { expect, it } from "vitest";
import { compareRollups, rollUp } from "../features/analytics/rollup-service";
import { createSandbox } from "../server/bootstrap";
import { createKey } from "../testing/factories";
import { NOW, testWorld } from "../testing/test-context";
import { backdate } from "./backdate";
import { plannedRequests } from "./history";
import { recordHistory } from "./record-history";
import { TEAMS } from "./teams";

const HOUR_MS = 60 * 60_000;

it("records requests of the past with sums that agree, and failed ones with their attempts", async () => {
  const world = await testWorld();
  const { db, settings } = world.context;
  await createSandbox(db, world.organizationId, NOW);
  const names = TEAMS.flatMap(({ keys }) => keys.map(({ name }) => name));
  const hashes = new Map<string, string>();
  for (const name of names) hashes.set(name, (await createKey(world, { name })).hash);
  const from = new Date(NOW.getTime() - 12 * HOUR_MS);
  const planned = [...plannedRequests(1, from, NOW)].map((request) => ({
    ...request,
    models: ["sandbox/echo"] as const,
    preset: null,
  }));

  const recorded = await recordHistory({ db, settings, hashes }, planned, () => undefined);

  expect(recorded).toBe(planned.length);
  const rows = await db.generation.findMany({
    where: { organizationId: world.organizationId },
    include: { content: true },
    orderBy: { createdAt: "asc" },
  });
  expect(rows.map(({ createdAt }) => createdAt)).toEqual(planned.map(({ at }) => at));
  const failed = rows.filter(({ status }) => status === "failed");
  expect(failed.length).toBe(planned.filter(({ failure }) => failure !== null).length);
  expect(rows.find(({ status }) => status === "succeeded")).toMatchObject({
    externalUser: expect.any(String),
    appTitle: expect.any(String),
    content: { completion: expect.any(String) },
  });
  await rollUp(db);
  for (const table of await compareRollups(db, world.organizationId, NOW))
    expect(table).toMatchObject({ missing: 0, wrong: 0 });
});

it("moves what was created in a run to a period before it, in the same order", async () => {
  const world = await testWorld();
  const { db } = world.context;
  const first = await createKey(world, { name: "First" });
  const earlier = new Date(NOW.getTime() - HOUR_MS);
  await db.key.update({ where: { id: first.id }, data: { createdAt: earlier } });
  const second = await createKey(world, { name: "Second" });
  const moved = { from: new Date(NOW.getTime() - 100 * HOUR_MS), to: new Date(NOW.getTime() - 50 * HOUR_MS) };
  await backdate(
    db,
    world.organizationId,
    { from: new Date(earlier.getTime() - 1), to: new Date(NOW.getTime() + 1) },
    moved,
  );
  const times = await db.key.findMany({
    where: { id: { in: [first.id, second.id] } },
    select: { createdAt: true },
    orderBy: { createdAt: "asc" },
  });
  expect(times.every(({ createdAt }) => createdAt >= moved.from && createdAt < moved.to)).toBe(true);
  expect(times[0]?.createdAt.getTime()).toBeLessThan(times[1]?.createdAt.getTime() ?? 0);
});
