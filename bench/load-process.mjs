// A closed loop: every connection sends its next request when the last was answered, or at its time when requests a second
// are given. Reads the load as JSON from stdin.
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "undici";

/** @type {import("./load").Load} */
const { urls, connections, seconds, perSecond, method, headers, bodies } = /** @type {any} */ (
  await json(process.stdin)
);
/** @type {number[]} */
const durations = [];
/** @type {Record<string, number>} */
const failures = {};

/** @param {Client} client @param {string} path @param {string | undefined} body @returns {Promise<void>} */
const send = (client, path, body) =>
  new Promise((resolve) => {
    const startedAt = performance.now();
    let status = 0;
    /** @param {string} reason */
    const fail = (reason) => {
      failures[reason] = (failures[reason] ?? 0) + 1;
      resolve();
    };
    client.dispatch(
      { path, method, headers, body },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_, code) => void (status = code),
        onResponseData: () => undefined,
        onResponseEnd: () => {
          if (status >= 200 && status <= 299) durations.push(performance.now() - startedAt);
          else fail(`status ${status}`);
          resolve();
        },
        onResponseError: (_, error) => fail(error.message),
      },
    );
  });

const start = performance.now();
const first = Math.floor(Math.random() * bodies.length);
/** @param {number} index */
async function connection(index) {
  const { origin, pathname, search } = new URL(/** @type {string} */ (urls[index % urls.length]));
  const client = new Client(origin, { headersTimeout: 30_000, bodyTimeout: 30_000 });
  for (let sent = 0; performance.now() - start < seconds * 1000 && Object.keys(failures).length === 0; sent += 1) {
    const dueMs = perSecond === null ? 0 : ((sent * connections + index) / perSecond) * 1000;
    const waitMs = dueMs - (performance.now() - start);
    if (waitMs > 0) await sleep(waitMs);
    await send(client, `${pathname}${search}`, bodies[(first + sent * connections + index) % bodies.length]);
  }
  await client.close();
}
await Promise.all(Array.from({ length: connections }, (_, index) => connection(index)));
const elapsed = (performance.now() - start) / 1000;
durations.sort((a, b) => a - b);
/** @param {number} share */
const quantile = (share) => durations[Math.min(durations.length - 1, Math.floor(durations.length * share))] ?? 0;
process.stdout.write(
  JSON.stringify({
    requests: durations.length,
    requestsPerSecond: durations.length / elapsed,
    p50Ms: quantile(0.5),
    p95Ms: quantile(0.95),
    p99Ms: quantile(0.99),
    failures,
  }),
);
