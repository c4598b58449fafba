// The programs that benchmarks compare: each is started on first use, and all are stopped together.
import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { ROOT, startServer } from "../e2e/server";
import { freePort } from "../lib/testing/free-port";
import { startPostgres } from "../lib/testing/postgres";
import { parentOf } from "./processor-time";

const MANAGEMENT_KEY = randomBytes(24).toString("hex");
const SECRET_KEY = randomBytes(32).toString("base64");
export const MODEL = "bench/model";

export interface Program {
  url: string;
  pid: number;
}

/** A process of Signalbox whose organization has the upstream's model. */
export interface Install extends Program {
  managementKey: string;
  call: (method: string, path: string, body?: object) => Promise<unknown>;
}

export interface Floor extends Program {
  key: string;
}

export interface Lab {
  databasePids: readonly number[];
  /** Upstream that answers at once. */
  upstream: Program;
  /** The bare gateway of floor.mjs. */
  floor: (patterns: number, process?: number) => Promise<Floor>;
  portkey: () => Promise<Program>;
  /** A bare handler over the database of an install. */
  bare: (database: string) => Promise<Program>;
  /** Processes of the same name share a database; "embedded" has its own. `root` is the folder of another checkout. */
  signalbox: (database: string, process?: number, root?: string) => Promise<Install>;
  query: (database: string, sql: string, values?: unknown[]) => Promise<void>;
  /** Connection string of a database. */
  urlOf: (database: string) => Promise<string>;
  stop: () => Promise<void>;
}

/** `variables` are added to the environment of Signalbox. */
export async function openLab(variables: Readonly<Record<string, string>> = {}): Promise<Lab> {
  const stops: (() => unknown)[] = [];
  const stop = async () => {
    for (const end of stops.splice(0)) await end();
  };
  try {
    return { ...(await lab(stops, variables)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function lab(stops: (() => unknown)[], added: Readonly<Record<string, string>>): Promise<Omit<Lab, "stop">> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
  stops.unshift(() => rmSync(folder, { recursive: true, force: true }));
  const postgres = await startPostgres({ durable: true });
  stops.unshift(postgres.stop);
  const postmaster = await postmasterOf(postgres.url("postgres"));

  const started = new Map<string, Promise<unknown>>();
  const once = <T>(name: string, make: () => Promise<T>): Promise<T> => {
    const known = (started.get(name) as Promise<T> | undefined) ?? make();
    started.set(name, known);
    return known;
  };
  const query: Lab["query"] = async (database, sql, values) => {
    const client = new pg.Client({ connectionString: postgres.url(database) });
    await client.connect();
    try {
      await client.query(sql, values);
    } finally {
      await client.end();
    }
  };
  const databaseUrl = (name: string) =>
    once(`database ${name}`, async () => {
      await query("postgres", `CREATE DATABASE ${name}`);
      return postgres.url(name);
    });
  const children = new Set<ChildProcess>();
  process.once("exit", () => {
    for (const child of children) child.kill();
  });
  const program = async (file: string, args: (port: number) => string[], variables: Record<string, string> = {}) => {
    const port = await freePort();
    const env = { PATH: process.env["PATH"], NODE_ENV: "production" as const, PORT: String(port), ...variables };
    const child = spawn(process.execPath, [file, ...args(port)], { env, stdio: ["ignore", "ignore", "inherit"] });
    children.add(child);
    stops.unshift(() => child.kill());
    return untilAnswering({ url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 }, file);
  };
  const ours = (file: string, variables: Record<string, string> = {}) =>
    program(fileURLToPath(new URL(file, import.meta.url)), () => [], variables);

  const upstream = await ours("upstream.mjs");
  return {
    databasePids: [postmaster],
    upstream,
    query,
    urlOf: databaseUrl,
    floor: (patterns, index = 0) =>
      once(`floor ${patterns} ${index}`, async () => {
        const variables = {
          DATABASE_URL: await databaseUrl("floor"),
          UPSTREAM: upstream.url,
          BENCH_KEY: MANAGEMENT_KEY,
          MODEL,
          PATTERNS: String(patterns),
        };
        return { ...(await ours("floor.mjs", variables)), key: MANAGEMENT_KEY };
      }),
    portkey: () =>
      once("portkey", () =>
        program(createRequire(import.meta.url).resolve("@portkey-ai/gateway/build/start-server.js"), (port) => [
          "--headless",
          `--port=${port}`,
        ]),
      ),
    bare: (database) =>
      once(`bare ${database}`, async () => ours("bare-server.mjs", { DATABASE_URL: await databaseUrl(database) })),
    signalbox: (database, index = 0, root = ROOT) =>
      once(`signalbox ${database} ${index}`, async () => {
        const variables = {
          SIGNALBOX_MANAGEMENT_KEY: MANAGEMENT_KEY,
          SIGNALBOX_RATE_LIMIT_PER_MINUTE: "0",
          SIGNALBOX_LOG_LEVEL: "error",
          SIGNALBOX_ALLOW_PRIVATE_UPSTREAMS: "true",
          SIGNALBOX_DATA_DIR: join(folder, `${database}-${index}`),
          ...(database === "embedded"
            ? {}
            : { DATABASE_URL: await databaseUrl(database), SIGNALBOX_SECRET_KEY: SECRET_KEY }),
          ...added,
        };
        const server = await startServer({ name: `bench-${database}-${index}`, variables, root }, 600_000);
        stops.unshift(server.stop);
        const started = install(server);
        await once(`catalogue ${database}`, () => addModel(started, upstream));
        return started;
      }),
  };
}

const install = ({ url, pid }: Program): Install => ({
  url,
  pid,
  managementKey: MANAGEMENT_KEY,
  call: async (method, path, body) => {
    const headers = { authorization: `Bearer ${MANAGEMENT_KEY}`, "content-type": "application/json" };
    const answer = await fetch(`${url}/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`${method} ${path} returned ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as unknown;
  },
});

/** Adds the upstream's model, and lets the workspace store prompts and completions. */
async function addModel({ call }: Install, upstream: Program): Promise<void> {
  const { data: workspaces } = (await call("GET", "/workspaces")) as { data: { id: string }[] };
  for (const { id } of workspaces) await call("PATCH", `/workspaces/${id}`, { content_logging: true });
  await call("POST", "/providers", { slug: "bench", name: "Bench", base_url: `${upstream.url}/v1`, api_key: "x" });
  const endpoint = { provider: "bench", upstream_model: "model", price: { prompt: "0.5", completion: "1.5" } };
  await call("POST", "/models", { slug: MODEL, endpoints: [endpoint] });
}

/** The process that starts a process for each connection. */
export async function postmasterOf(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const postmaster = parentOf(rows[0]?.pid ?? 0);
  await client.end();
  return postmaster;
}

async function untilAnswering(program: Program, file: string): Promise<Program> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (await fetch(program.url).catch(() => null)) return program;
    await sleep(50);
  }
  throw new Error(`${file} did not start`);
}
