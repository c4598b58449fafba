// npm run bench:memory: resident memory after start, after load, with idle streams, and each minute with --minutes 60, at most
// --per-second 200.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { scriptArguments } from "../lib/platform/script-arguments.mjs";
import { openLab, type Lab } from "./lab";
import { measureOnce, type Contender } from "./measure";
import { withDescendants } from "./processor-time";
import { chatOfSignalbox, IDLE_STREAM } from "./scenarios";

const { values } = scriptArguments("npm run bench:memory --", {
  options: {
    seconds: { type: "string", default: "10" },
    streams: { type: "string", default: "500" },
    // Goes on with load for so many minutes, with a line each.
    minutes: { type: "string", default: "0" },
    // Requests a second of these minutes; as many as are answered without it.
    "per-second": { type: "string" },
    // Measures one of the databases only.
    database: { type: "string" },
  },
});
const REST_MS = 30_000;
const DATABASES = ["signalbox", "embedded"] as const;

const say = (text: string) => process.stdout.write(`${text}\n`);

/** Resident memory of the processes and their descendants in MB; what several of them share is counted once. */
const residentOf = (pids: readonly number[]): number =>
  withDescendants(pids).reduce((sum, pid) => {
    const [, kilobytes = "0"] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")) ?? [];
    return sum + Number(kilobytes) / 1024;
  }, 0);

/** Opens streams whose upstream says one word and then nothing; returns a function that ends them. */
async function openStreams({ urls: [url = ""], headers }: Contender, count: number): Promise<() => void> {
  const ending = new AbortController();
  const init = {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(IDLE_STREAM),
    signal: ending.signal,
  };
  const opened = await Promise.all(Array.from({ length: count }, () => fetch(url, init)));
  for (const { status, body } of opened) {
    if (status !== 200) throw new Error(`a stream returned ${status}`);
    await body?.getReader().read();
  }
  return () => ending.abort();
}

async function memoryOf(lab: Lab, database: string): Promise<void> {
  const contender = await chatOfSignalbox(lab, database);
  const row = (label: string) => say(`| ${database} | ${label} | ${residentOf(contender.pids).toFixed(0)} |`);
  const load = (seconds: number, perSecond: number | null = null) =>
    measureOnce(contender, { connections: 32, seconds, databasePids: lab.databasePids, perSecond });
  await sleep(REST_MS);
  row("idle after start");
  await load(Number(values.seconds));
  await sleep(REST_MS);
  row(`idle after ${values.seconds} s of load`);
  const end = await openStreams(contender, Number(values.streams));
  await sleep(REST_MS);
  row(`${values.streams} idle streams`);
  end();
  // Until their connections, of which a client may have 512, are closed.
  await sleep(REST_MS);
  for (let minute = 1; minute <= Number(values.minutes); minute++) {
    await load(60, values["per-second"] === undefined ? null : Number(values["per-second"]));
    row(`under load, minute ${minute}`);
  }
}

const lab = await openLab();
try {
  say("| database | state | resident MB |\n|---|---|---:|");
  for (const database of DATABASES.filter((name) => (values.database ?? name) === name)) await memoryOf(lab, database);
} finally {
  await lab.stop();
}
process.exit(0);
