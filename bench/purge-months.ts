// npm run bench:purge-months: how long it takes to delete months past retention as a whole, and how long others wait for its locks.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { keepLog } from "../lib/features/retention/partitions-service";
import { partitionsOf } from "../lib/platform/database/partitions";
import { scriptArguments } from "../lib/platform/script-arguments.mjs";
import { filledInstall } from "./filled-install";

const { values } = scriptArguments("npm run bench:purge-months --", {
  options: { generations: { type: "string", default: "960000" } },
});
const DAY_MS = 24 * 60 * 60_000;
const PING_MS = 1;

const install = await filledInstall(Number(values.generations), { durable: true });
try {
  await measureMonths(install.url);
} finally {
  await install.stop();
}
process.exit(0);

async function measureMonths(connectionString: string): Promise<void> {
  const newClient = () => new pg.Client({ connectionString });
  const connections = { keeper: newClient(), reader: newClient(), writer: newClient() };
  try {
    for (const each of Object.values(connections)) await each.connect();
    await measureWith(connections);
  } finally {
    // A connection that the database closes would end the process, with another error than that of the measurement.
    await Promise.allSettled(Object.values(connections).map((each) => each.end()));
  }
}

async function measureWith({
  keeper,
  reader,
  writer,
}: Record<"keeper" | "reader" | "writer", pg.Client>): Promise<void> {
  const query = (sql: string) => keeper.query<Record<string, unknown>>(sql);
  process.stdout.write(
    "| month | retention of | contents | ms | without waits for a processor | longest wait of a reader of the month | of a write |\n|---|---|---:|---:|---:|---:|---:|\n",
  );
  const pid = Number((await query("SELECT pg_backend_pid() AS pid")).rows[0]?.["pid"]);
  const now = new Date();
  await keepLog(query, now);
  for (const { suffix, end } of await partitionsOf(query)) {
    if (!end || end > now || suffix === "before") continue;
    const days = Math.floor((now.getTime() - end.getTime()) / DAY_MS);
    for (const kind of ["content", "metadata"]) {
      const { rows } = await query(`SELECT count(*) FROM generation_contents_${suffix}`);
      await query(`UPDATE workspaces SET ${kind}_retention_days = ${days}`);
      const ping = (one: pg.Client, table: string, mode: string) =>
        pinging(() => one.query(`DO $$ BEGIN LOCK TABLE ONLY ${table} IN ${mode} MODE; END $$`));
      const pings = [
        ping(reader, `generation_contents_${suffix}`, "ACCESS SHARE"),
        ping(writer, "generations, ONLY generation_contents, ONLY decisions", "ROW EXCLUSIVE"),
      ];
      await sleep(100);
      const waited = processorWaits(pid);
      const startedAt = performance.now();
      await keepLog(query, now);
      const ms = performance.now() - startedAt;
      const alone = ms - (processorWaits(pid) - waited);
      const waits = await Promise.all(pings.map((stop) => stop()));
      const cells = [suffix, kind, rows[0]?.["count"], ...[ms, alone, ...waits].map((one) => one.toFixed(1))];
      process.stdout.write(`| ${cells.join(" | ")} |\n`);
    }
  }
}

/** Milliseconds that a process has waited for a processor, because of other work on the machine. */
function processorWaits(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[1]) / 1e6;
}

/** Does something again and again. Returns a function that stops it and returns the longest duration in milliseconds. */
function pinging(work: () => Promise<unknown>): () => Promise<number> {
  let [isStopped, longest] = [false, 0];
  const loop = (async () => {
    while (!isStopped) {
      const startedAt = performance.now();
      try {
        await work();
      } catch {
        // The month was dropped.
        return;
      }
      longest = Math.max(longest, performance.now() - startedAt);
      await sleep(PING_MS);
    }
  })();
  return async () => {
    isStopped = true;
    await loop;
    return longest;
  };
}
