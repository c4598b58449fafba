// npm run bench:replica: reads of the log and the overview beside inference requests, with and without a standby for reads.
import { randomBytes } from "node:crypto";
import { startServer } from "../e2e/server";
import { fillLargeInstall } from "../lib/demo/fill-large-install";
import { startPostgres } from "../lib/testing/postgres";
import { scriptArguments } from "../lib/platform/script-arguments.mjs";
import { postmasterOf } from "./lab";
import { generateLoad } from "./load";
import { processorTime } from "./processor-time";
import { median } from "./statistics";

const { values } = scriptArguments("npm run bench:replica --", {
  options: {
    generations: { type: "string", default: "200000" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "3" },
  },
});
const seconds = Number(values.seconds);
const MANAGEMENT_KEY = randomBytes(24).toString("hex");
const SIZE = { generations: Number(values.generations), keys: 1000, guardrails: 100, contents: 1 };
const CONNECTIONS = 4;

const primary = await startPostgres({ durable: true });
const variables = {
  DATABASE_URL: primary.url("postgres"),
  SIGNALBOX_SECRET_KEY: randomBytes(32).toString("base64"),
  SIGNALBOX_MANAGEMENT_KEY: MANAGEMENT_KEY,
  SIGNALBOX_RATE_LIMIT_PER_MINUTE: "0",
  SIGNALBOX_LOG_LEVEL: "error",
};
const first = await startServer({ name: "bench-primary", variables }, 600_000);
await fillLargeInstall(primary.url("postgres"), SIZE);
const standby = await primary.standby();
const second = await startServer({
  name: "bench-standby",
  variables: { ...variables, SIGNALBOX_READ_DATABASE_URL: standby.url("postgres") },
});
const headers = { authorization: `Bearer ${MANAGEMENT_KEY}` };
const READS = {
  "GET /generations, 50": "/generations?limit=50",
  "GET /analytics/overview, 90 days": "/analytics/overview?range=90d",
};

try {
  const [ofPrimary, ofStandby] = [
    await postmasterOf(primary.url("postgres")),
    await postmasterOf(standby.url("postgres")),
  ];
  const used = () => [ofPrimary, ofStandby].map((pid) => processorTime([pid]) ?? NaN);
  process.stdout.write(
    "| | reads from | req/s | p50 ms | CPU ms of the primary | of the standby |\n|---|---|---:|---:|---:|---:|\n",
  );
  for (const [name, path] of Object.entries(READS)) {
    const rounds = { primary: [] as number[][], standby: [] as number[][] };
    for (let round = 0; round < Number(values.rounds); round += 1)
      for (const [from, { url }] of [
        ["primary", first],
        ["standby", second],
      ] as const) {
        const before = used();
        const load = {
          connections: CONNECTIONS,
          seconds,
          method: "GET" as const,
          headers,
          bodies: [],
          perSecond: null,
        };
        const { requests, requestsPerSecond, p50Ms } = await generateLoad({ ...load, urls: [`${url}/v1${path}`] });
        const cpu = used().map((micros, at) => (micros - (before[at] ?? NaN)) / requests / 1000);
        rounds[from].push([requestsPerSecond, p50Ms, ...cpu]);
      }
    for (const [from, measured] of Object.entries(rounds)) {
      const [rate, p50, ...cpu] = [0, 1, 2, 3].map((at) => median(measured.map((figures) => figures[at] ?? NaN)));
      process.stdout.write(
        `| ${name} | ${from} | ${rate?.toFixed(0)} | ${p50?.toFixed(1)} | ${cpu.map((ms) => ms.toFixed(2)).join(" | ")} |\n`,
      );
    }
  }
} finally {
  await second.stop();
  await first.stop();
  await standby.stop();
  await primary.stop();
}
process.exit(0);
