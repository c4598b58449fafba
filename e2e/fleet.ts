import { randomBytes, randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { PostgresServer } from "../lib/testing/postgres";
import { freePort } from "../lib/testing/free-port";
import { createChatCompletion } from "../lib/gateway/contract";
import { createApi } from "./api-client";
import { startAlone, type TestDatabase } from "./database-pair";
import { startFakeProvider } from "./fake-provider";
import { apiKeyOf, filterOf, naturals, PRICE, RESERVED_MICRO_USD, Traffic, type Failed } from "./fleet-traffic";
import { watchJobs } from "./fleet-jobs";
import { isHaproxyInstalled, startHaproxy } from "./haproxy";
import { expect, test } from "@playwright/test";
import { MANAGEMENT_KEY, type Server } from "./server";
import { createUpstream, createWorld, type NewKey } from "./world";

const LIMIT_USD = 3;
const LIMITED_KEYS = 3;
/** Prints a line of the run's output. */
const report = (line: string) => process.stdout.write(`${line}\n`);

/** Time after a fault in which requests may still fail. */
const RECOVERY_MS = 10_000;
const CALM_MS = 2_000;
/** Minimum number of successful requests that shows that the fleet serves. */
const FEWEST_SUCCEEDED = 25;

/** As in docs/scaling.md. */
export const DRAIN = { SIGNALBOX_DRAIN_MS: "3000" };

/** Skips the running test, and prints how to run it. */
export function skipBecause(reason: string): void {
  report(`Skipped: ${reason}`);
  test.skip(true, reason);
}

export function skipWithoutHaproxy(): void {
  if (!isHaproxyInstalled()) skipBecause("HAProxy isn't installed (apt-get install haproxy)");
}

export interface Member {
  port: number;
  variables: Readonly<Record<string, string>>;
  server: Server;
  /** True once it has reported that it is stopping, after which a proxy sends it nothing more. */
  isLeaving: boolean;
}

/** A fault; `during` resolves when it is over. */
interface Fault {
  name: string;
  /** False when no request may fail. */
  isDisruptive: boolean;
  /** Time after which requests may no longer fail, if it differs. */
  recoveryMs?: number;
  during: () => Promise<unknown>;
  /** Runs afterwards, when requests may not fail. */
  after?: () => Promise<unknown>;
}

interface Happened extends Pick<Fault, "name" | "isDisruptive" | "recoveryMs"> {
  startedAt: number;
  endedAt: number;
}

/**
 * Returns the fault that explains a failure: the last disruptive one before its end that was recent when it was sent.
 */
const faultOf = ({ sentAt, endedAt }: Failed, happened: readonly Happened[]): Happened | undefined =>
  happened.findLast(
    ({ isDisruptive, startedAt, recoveryMs = RECOVERY_MS, ...fault }) =>
      isDisruptive && startedAt <= endedAt && sentAt <= fault.endedAt + recoveryMs,
  );

/** Returns the milliseconds from the end of a fault to the last failure that it explains. */
const recoveryOf = (failed: readonly Failed[], happened: readonly Happened[], fault: Happened) =>
  Math.max(
    0,
    ...failed
      .filter((one) => faultOf(one, happened) === fault)
      .map(({ endedAt }) => Math.round(endedAt - fault.endedAt)),
  );

const shuffled = <T>(items: readonly T[], random: (bound: number) => number): T[] =>
  items
    .map((item) => [random(2 ** 20), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);

interface Plan {
  own: {
    start: (variables: Readonly<Record<string, string>>, options: readonly string[], port: number) => Promise<Server>;
  };
  /** Variables of each process. */
  processes: readonly Readonly<Record<string, string>>[];
  hasProxy: boolean;
  /** Starts a primary with a synchronous standby behind a separate proxy; by default, a server without one. */
  startPair?: () => Promise<TestDatabase>;
  faults: (fleet: {
    members: Member[];
    database: TestDatabase;
    restart: (member: Member) => Promise<void>;
    random: (bound: number) => number;
  }) => Fault[];
}

/** Kills a process and the primary database together, so that the standby takes over. */
export const failover: Plan["faults"] = ({ members, database, restart, random }) => {
  const killed = members[random(members.length)] as Member;
  const during = async () => {
    killed.server.signal("SIGKILL");
    await database.failOver(random(1000));
  };
  return [{ name: "failover", isDisruptive: true, recoveryMs: 60_000, during, after: () => restart(killed) }];
};

/** Fails over to the standby and, once the killed server is its synchronous standby, back. */
export const failoverAndBack: Plan["faults"] = (fleet) =>
  ["one failover", "another failover"].flatMap((name) =>
    failover(fleet).map(({ after, ...fault }) => ({
      ...fault,
      name,
      after: async () => {
        await after?.();
        const startedAt = performance.now();
        await fleet.database.rejoin?.();
        report(`${name}: synchronous standby after ${Math.round(performance.now() - startedAt)} ms`);
      },
    })),
  );

/** Processes of a fleet on one database. */
interface Fleet {
  database: TestDatabase;
  members: Member[];
  restart: (member: Member) => Promise<void>;
  proxy: { url: string } | null;
}

/** Functions that end everything that was started, in reverse order. */
type Stops = (() => unknown)[];

async function startFleet({ own, processes, hasProxy, startPair }: Plan, stops: Stops): Promise<Fleet> {
  const database = await (startPair ?? startAlone)();
  stops.push(database.stop);
  const shared = {
    DATABASE_URL: database.url,
    SIGNALBOX_SECRET_KEY: randomBytes(32).toString("base64"),
    SIGNALBOX_ALLOW_PRIVATE_UPSTREAMS: "true",
    // Starting processes take the processor from the others.
    SIGNALBOX_FILTER_TIMEOUT_MS: "60000",
    ...(hasProxy && { SIGNALBOX_TRUST_PROXY: "true" }),
  };
  const members: Member[] = await Promise.all(
    processes.map(async (variables) => {
      const port = await freePort();
      const server = await own.start({ ...shared, ...variables }, [], port);
      return { port, variables, server, isLeaving: false };
    }),
  );
  stops.push(() => members.forEach(({ server }) => server.signal("SIGKILL")));
  const restart = async (member: Member) => {
    await member.server.ended;
    member.server = await own.start({ ...shared, ...member.variables }, [], member.port);
    member.isLeaving = false;
  };
  const proxy = hasProxy ? await startHaproxy(members.map(({ port }) => port)) : null;
  if (proxy) stops.push(proxy.stop);
  return { database, members, restart, proxy };
}

/** Creates the traffic's upstream, its guardrail, and its keys with and without a limit. */
async function prepareTraffic(
  { members, proxy }: Fleet,
  random: (bound: number) => number,
  stops: Stops,
): Promise<{ traffic: Traffic; limited: readonly NewKey[] }> {
  let traffic = null as Traffic | null;
  const fake = await startFakeProvider({ answer: (request) => traffic?.upstream(request) ?? {} });
  stops.push(fake.stop);
  const api = createApi(members[0]?.server.url ?? "", MANAGEMENT_KEY);
  const world = await createWorld(api);
  const upstream = await createUpstream(api, fake.baseUrl, PRICE, { api_key: apiKeyOf(0) });
  const { id: guardrailId } = await world.guardrail({ content_filters: filterOf(0) });
  const key = (fields: object = {}) => world.inferenceKey({ guardrail_id: guardrailId, ...fields });
  const limited: NewKey[] = [];
  for (let count = 0; count < LIMITED_KEYS; count++) limited.push(await key({ limit: LIMIT_USD }));
  let turn = 0;
  traffic = new Traffic({
    urls: () => {
      if (proxy) return [proxy.url];
      turn += 1;
      const ready = members.filter(({ isLeaving }) => !isLeaving);
      return ready.map((_, index) => ready[(turn + index) % ready.length]?.server.url ?? "");
    },
    isDirect: proxy === null,
    random,
    model: upstream.model,
    provider: upstream.provider,
    guardrailId,
    workspaceId: world.workspaceId,
    keys: { main: await key(), toggled: await key(), limited },
  });
  return { traffic, limited };
}

/** Causes faults one after another during traffic, and returns when each happened. */
async function cause(
  faults: readonly Fault[],
  traffic: Traffic,
  random: (bound: number) => number,
): Promise<Happened[]> {
  const happened: Happened[] = [];
  for (const { name, isDisruptive, recoveryMs, during, after } of faults) {
    const startedAt = performance.now();
    await during();
    const endedAt = performance.now();
    happened.push({ name, isDisruptive, startedAt, endedAt, ...(recoveryMs !== undefined && { recoveryMs }) });
    await after?.();
    if (recoveryMs !== undefined) {
      const served = () => traffic.succeededAt.filter((at) => at > endedAt).length;
      await expect.poll(served, { timeout: recoveryMs }).toBeGreaterThanOrEqual(FEWEST_SUCCEEDED);
    }
    await sleep(CALM_MS + random(1000));
  }
  return happened;
}

/** Reports the run, and requires that a fault explains each failure. */
function checkFailures({ failed, counts, violations }: Traffic, happened: readonly Happened[], seed: number): void {
  const byStatus: Record<string, number> = {};
  for (const { status } of failed) byStatus[status ?? "broken"] = (byStatus[status ?? "broken"] ?? 0) + 1;
  report(
    JSON.stringify({
      seed,
      ...counts,
      failed: byStatus,
      recoveryMs: Object.fromEntries(happened.map((fault) => [fault.name, recoveryOf(failed, happened, fault)])),
    }),
  );
  const unexplained = failed.filter((one) => !faultOf(one, happened));
  expect({ seed, violations: violations.slice(0, 20), unexplained: unexplained.slice(0, 20) }).toEqual({
    seed,
    violations: [],
    unexplained: [],
  });
  expect(counts.succeeded, `seed ${seed}`).toBeGreaterThan(FEWEST_SUCCEEDED);
}

/** Runs random traffic and policy changes through faults in random order, and checks the guarantees. */
export async function runFleet(plan: Plan): Promise<void> {
  const seed = Number(process.env["FLEET_SEED"] ?? randomInt(2 ** 31));
  const random = naturals(seed);
  const stops: Stops = [];
  try {
    const fleet = await startFleet(plan, stops);
    const { database, members, restart, proxy } = fleet;
    const { traffic, limited } = await prepareTraffic(fleet, random, stops);
    const jobs = plan.startPair
      ? await watchJobs(() => createApi(proxy?.url ?? members[0]?.server.url ?? "", MANAGEMENT_KEY))
      : null;
    if (jobs) stops.push(jobs.stop);
    stops.push(() => traffic.stop());
    const running = traffic.start();
    await expect.poll(() => traffic.counts.succeeded).toBeGreaterThan(0);
    await sleep(CALM_MS);
    const happened = await cause(
      shuffled(plan.faults({ members, database, restart, random }), random),
      traffic,
      random,
    );
    await sleep(CALM_MS);
    traffic.stop();
    await running;
    checkFailures(traffic, happened, seed);

    // Every process serves on its own again.
    const body = { model: "sandbox/echo", messages: [{ role: "user" as const, content: "Hello" }] };
    for (const { server } of members)
      await createApi(server.url, traffic.options.keys.main.text).call(createChatCompletion, { body });
    await checkBooks(database.current(), traffic, limited, jobs);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** Compares the log with the acknowledged requests, and the ledgers with the log. */
async function checkBooks(
  postgres: Pick<PostgresServer, "url">,
  traffic: Traffic,
  limited: readonly NewKey[],
  jobs: Awaited<ReturnType<typeof watchJobs>> | null,
): Promise<void> {
  const database = new pg.Client({ connectionString: postgres.url("postgres") });
  await database.connect();
  try {
    const rowsOf = async <T>(text: string, values: readonly unknown[] = []) =>
      (await database.query(text, [...values])).rows as T[];
    const recorded = new Map(
      (await rowsOf<{ id: string; cost: string }>("SELECT id, cost_micro_usd AS cost FROM generations")).map(
        ({ id, cost }) => [id, Number(cost)],
      ),
    );
    const lost = traffic.acknowledged.filter(({ id, costMicroUsd }) => recorded.get(id) !== costMicroUsd);
    expect(lost, "acknowledged answers that aren't recorded as such").toEqual([]);
    expect(new Set(traffic.acknowledged.map(({ id }) => id)).size).toBe(traffic.acknowledged.length);

    const made = await rowsOf<{ name: string }>("SELECT name FROM guardrails WHERE name LIKE 'made-%'");
    expect(made.map(({ name }) => name).sort()).toEqual(traffic.created.toSorted());

    const spendOfKeys = await rowsOf<{ ledger: string; log: string }>(`
      SELECT (SELECT coalesce(sum(cost_micro_usd), 0) FROM key_spend_days WHERE key_id = keys.id) AS ledger,
        (SELECT coalesce(sum(cost_micro_usd), 0) FROM generations WHERE key_id = keys.id) AS log FROM keys`);
    for (const { ledger, log } of spendOfKeys) expect(ledger).toBe(log);

    const budgets = await rowsOf<{ spent: string; log: string }>(
      `SELECT spent_micro_usd AS spent, (SELECT coalesce(sum(cost_micro_usd), 0) FROM generations WHERE key_id = source_id) AS log
       FROM budgets WHERE source_id = ANY($1::uuid[])`,
      [limited.map(({ id }) => id)],
    );
    expect(budgets).toHaveLength(limited.length);
    for (const { spent, log } of budgets) {
      expect(spent).toBe(log);
      expect(Number(spent)).toBeLessThan(LIMIT_USD * 1e6 + RESERVED_MICRO_USD);
    }
    await jobs?.check(rowsOf);
  } finally {
    await database.end();
  }
}

/** Stops a process, which reports that it isn't ready while it still serves. */
export async function drain(member: Member): Promise<void> {
  const { server } = member;
  server.signal("SIGTERM");
  const readiness = async () => (await fetch(`${server.url}/readyz`)).status;
  await expect.poll(readiness, { intervals: [20] }).toBe(503);
  member.isLeaving = true;
}

export const workerPid = ({ server }: Member) =>
  Number([...server.output().matchAll(/"pid":(\d+),"msg":"worker \d+ started"/g)].at(-1)?.[1]);
