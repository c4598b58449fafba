// npm run bench:purge: how long inference requests take while contents past retention are deleted row by row.
import { setTimeout as sleep } from "node:timers/promises";
import { largeInstall } from "../lib/demo/large-install";
import { purgeExpired } from "../lib/features/retention/service";
import { openPostgres } from "../lib/platform/database/open";
import { scriptArguments } from "../lib/platform/script-arguments.mjs";
import { openLab } from "./lab";
import { generateLoad } from "./load";
import { warmUp } from "./measure";
import { PROFILES } from "./scenarios";
import { median } from "./statistics";

const { values } = scriptArguments("npm run bench:purge --", {
  options: {
    generations: { type: "string", default: "600000" },
    connections: { type: "string", default: "4" },
    seconds: { type: "string", default: "5" },
  },
});
const [generations, connections, seconds] = [values.generations, values.connections, values.seconds].map(Number) as [
  number,
  number,
  number,
];
/** Retention in days of each round, of the 90 days that the install has. */
const ROUNDS = [75, 60, 45, 30, 15];
const DATABASE = "signalbox";
/** Time for the load to start. */
const WARM_MS = 300;
/** The server is busy, not the process that deletes here. */
const busy = () => 1;

const lab = await openLab();
const { urls, headers = {}, bodies = [], pids } = await PROFILES.answers(lab);
await lab.query(DATABASE, largeInstall({ generations, keys: 3000, guardrails: 300, contents: 1 }).join(";"));
await lab.query(DATABASE, "VACUUM ANALYZE");
const database = await openPostgres(await lab.urlOf(DATABASE));
try {
  await warmUp({ name: DATABASE, urls, pids, headers, bodies }, { connections, databasePids: lab.databasePids });
  const load = () =>
    generateLoad({
      urls,
      connections,
      seconds,
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      perSecond: null,
      bodies: bodies.map((body) => JSON.stringify(body)),
    });
  const ratios: number[] = [];
  process.stdout.write(
    "| contents deleted | ms | p50, p95 ms without | p50, p95 ms meanwhile |\n|---:|---:|---:|---:|\n",
  );
  for (const days of ROUNDS) {
    const without = await load();
    await lab.query(DATABASE, "UPDATE workspaces SET content_retention_days = $1", [days]);
    const loading = load();
    await sleep(WARM_MS);
    const startedAt = performance.now();
    const { contents: deleted } = await purgeExpired(database.client, new Date(), { load: busy });
    const ms = performance.now() - startedAt;
    const meanwhile = await loading;
    ratios.push(meanwhile.p95Ms / without.p95Ms);
    const shown = ({ p50Ms, p95Ms }: typeof without) => `${p50Ms.toFixed(1)}, ${p95Ms.toFixed(1)}`;
    process.stdout.write(`| ${deleted} | ${ms.toFixed(0)} | ${shown(without)} | ${shown(meanwhile)} |\n`);
  }
  process.stdout.write(`\np95 meanwhile / without: ${median(ratios).toFixed(2)}\n`);
} finally {
  await database.close();
  await lab.stop();
}
process.exit(0);
